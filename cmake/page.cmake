# page.cmake: joins web/ into one C file. cmake -D WEB=folder -D OUT=file.c -P page.cmake
#
# web/page.html is the page; in it stand @STYLE@ for style.css, @SCRIPT@ for the modules that web/modules lists, in
# its order, and @DATA@ for what a report shows, which C puts there. All modules become one: a line that begins with "import " goes, and so does the
# word "export " at the beginning of a line. web/test/modules.mjs checks that this is all they need.
file(STRINGS ${WEB}/modules modules)
set(script "")
foreach(module IN LISTS modules)
    file(READ ${WEB}/${module} text)
    string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" text "${text}")
    string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
    string(APPEND script "${text}")
endforeach()
string(TOLOWER "${script}" lower)
if(lower MATCHES "</script|<!--")
    message(FATAL_ERROR "web/: a module holds </script or <!--, which would end the page's script")
endif()
file(READ ${WEB}/style.css style)
file(READ ${WEB}/page.html page)
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")

# sg_page_<name>: the bytes, and how many there are.
function(as_c name text)
    file(WRITE ${OUT}.${name} "${text}")
    file(SIZE ${OUT}.${name} length)
    file(READ ${OUT}.${name} bytes HEX)
    file(REMOVE ${OUT}.${name})
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
    file(APPEND ${OUT}.new "const unsigned char sg_page_${name}[] = {\n${bytes}\n};\nconst size_t sg_page_${name}_length = ${length};\n")
endfunction()

string(FIND "${page}" "@DATA@" place)
string(SUBSTRING "${page}" 0 ${place} head)
math(EXPR place "${place} + 6")
string(SUBSTRING "${page}" ${place} -1 tail)
file(WRITE ${OUT}.new "/* Made by cmake/page.cmake of web/. */\n#include \"export/page.h\"\n\n")
as_c(head "${head}")
as_c(tail "${tail}")
file(RENAME ${OUT}.new ${OUT})
