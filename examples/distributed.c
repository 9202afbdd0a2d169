/* distributed.c: section 6 of sugeno.h. Several processes read parts of one file and train one model.
 *
 *     mpicc distributed.c $(pkg-config --cflags --libs sugeno_mpi) -o distributed && mpiexec -n 2 ./distributed */
#include <sugeno_mpi.h>

#include <stdio.h>

static sg_status train(const char *path, const sg_comm *comm)
{
    sg_options *options = NULL;
    sg_dataset *data = NULL;
    sg_model *model = NULL;
    sg_status st = sg_options_new(&options);
    if (st == SG_OK) st = sg_options_set(options, "preset", "mbgd-rda");
    if (st == SG_OK) {
        sg_options_set_comm(options, comm, 0);
        st = sg_dataset_open(&path, 1, options, NULL, 0, &data);
    }
    if (st == SG_OK) {
        sg_source rows = sg_dataset_source(data);
        printf("rank %zu of %zu reads %zu of %zu rows\n", comm->rank, comm->ranks, rows.local_rows, rows.rows);
        st = sg_train(options, &rows, NULL, NULL, NULL, &model);
    }
    if (st == SG_OK && comm->rank == 0) st = sg_model_save(model, "distributed.json");
    sg_model_free(model);
    sg_dataset_free(data);
    sg_options_free(options);
    return st;
}

int main(int argc, char **argv)
{
    int level;
    sg_comm *comm = NULL;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    sg_status st = sg_mpi_comm_new(MPI_COMM_WORLD, &comm);
    if (st == SG_OK) st = train(argc > 1 ? argv[1] : "mackey-glass.csv", comm);
    if (st != SG_OK) {
        fprintf(stderr, "%s\n", sg_errmsg());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    sg_mpi_comm_free(comm);
    MPI_Finalize();
    return 0;
}
