# page.cmake: combines the files of web/ into one C file. Usage: cmake -D WEB=folder -D OUT=file.c -P page.cmake
#
# web/page.html is a template. @STYLE@ is replaced by style.css, and @SCRIPT@ by the modules in the order of
# web/module_order.txt. @DATA@ stays for the library, which inserts the data of a report there. The modules become one
# script: lines that start with "import " are deleted, and so is "export " at the start of a line.
# web/test/module_conventions.test.mjs checks that nothing else is needed.
file(STRINGS ${WEB}/module_order.txt modules)
set(script "")
foreach(module IN LISTS modules)
    file(READ ${WEB}/${module} text)
    string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" text "${text}")
    string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
    string(APPEND script "${text}")
endforeach()
string(TOLOWER "${script}" lower)
if(lower MATCHES "</script|<!--")
    message(FATAL_ERROR "web/: a module contains </script or <!--, which would end the script in the page")
endif()
file(READ ${WEB}/style.css style)
file(READ ${WEB}/page.html page)
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")

# Writes the array sg_page_<name> and its length.
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
file(WRITE ${OUT}.new "/* Generated from web/ by cmake/page.cmake. */\n#include \"export/page_template.h\"\n\n")
as_c(head "${head}")
as_c(tail "${tail}")
file(RENAME ${OUT}.new ${OUT})
