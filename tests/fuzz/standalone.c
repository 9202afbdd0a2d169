/* standalone.c: passes files, and the files of folders, to a fuzz target. It makes the corpus an ordinary test for
 * compilers without libFuzzer. Fails if there are no inputs, because such a test would test nothing. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Allocates exactly the size of the file, so that sanitizers detect reads past its end. */
static int run_file(const char *path, size_t size)
{
    uint8_t *data = malloc(size ? size : 1);
    FILE *f = fopen(path, "rb");
    int ok = data && f && fread(data, 1, size, f) == size;
    if (ok) LLVMFuzzerTestOneInput(data, size);
    if (!ok) perror(path);
    if (f) fclose(f);
    free(data);
    return ok;
}

/* Returns the number of inputs, or -1 after a failure. */
static long run_path(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        perror(path);
        return -1;
    }
    if (!S_ISDIR(info.st_mode)) return run_file(path, (size_t)info.st_size) ? 1 : -1;

    struct dirent **entries;
    int n = scandir(path, &entries, NULL, alphasort);
    long count = n < 0 ? -1 : 0;
    for (int i = 0; i < n; i++) {
        char inner[4096];
        int length = snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && count >= 0) {
            long more = length < (int)sizeof inner ? run_path(inner) : -1;
            count = more < 0 ? -1 : count + more;
        }
        free(entries[i]);
    }
    if (n >= 0) free(entries);
    return count;
}

int main(int argc, char **argv)
{
    long total = 0;
    for (int i = 1; i < argc; i++) {
        long count = run_path(argv[i]);
        if (count < 0) return 1;
        total += count;
    }
    printf("%ld inputs\n", total);
    return total > 0 ? 0 : 1;
}
