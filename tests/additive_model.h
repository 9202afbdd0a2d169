/* additive_model.h: a handwritten model file with two targets, a monotone curve, a curve of a category, a pair and a
 * frontier, formatted as the library writes it. */
#pragma once

/* The levels of the second input: two of them and a pool of all others, or three. */
#define ADDITIVE_MODEL_POOLED "\"levels\": [\"oak\", \"ash\"], \"others\": true"
#define ADDITIVE_MODEL_LISTED "\"levels\": [\"oak\", \"ash\", \"elm\"]"

/* A block of one rule, which sees age, the three levels and water. */
#define ADDITIVE_MODEL_BLOCK                                                                                           \
    "    {\n"                                                                                                          \
    "      \"mf\": \"gauss\",\n"                                                                                       \
    "      \"weight\": 0.75,\n"                                                                                        \
    "      \"h\": 1,\n"                                                                                                \
    "      \"rank\": 0,\n"                                                                                             \
    "      \"mfs\": [\n"                                                                                               \
    "      ],\n"                                                                                                       \
    "      \"rules\": [\n"                                                                                             \
    "        {\"if\": [-1, -1, -1, -1, -1], \"then\": [[0.5, 0.125, 1.5, 2.5, 3.5, -0.375], [0, 0, 0, 0, 1, 0]]}\n"    \
    "      ]\n"                                                                                                        \
    "    }\n"

#define ADDITIVE_MODEL(levels, blocks)                                                                                 \
    "{\n"                                                                                                              \
    "  \"kind\": \"sugeno model\",\n"                                                                                  \
    "  \"format\": 2,\n"                                                                                               \
    "  \"inputs\": [\n"                                                                                                \
    "    {\"name\": \"age\", \"low\": 1, \"high\": 365, \"mean\": 45.7},\n"                                            \
    "    {\"name\": \"wood\", " levels ", \"shares\": [0.5, 0.25, 0.25]},\n"                                           \
    "    {\"name\": \"water\", \"low\": 120, \"high\": 250, \"mean\": 181}\n"                                          \
    "  ],\n"                                                                                                           \
    "  \"targets\": [\n"                                                                                               \
    "    {\"name\": \"y\", \"mean\": 35.8, \"scale\": 1, \"y0\": 0},\n"                                                \
    "    {\"name\": \"z\", \"mean\": -2.25, \"scale\": 2, \"y0\": 0.5, \"low\": -4, \"high\": 1e99}\n"                 \
    "  ],\n"                                                                                                           \
    "  \"antecedents_see\": [\n"                                                                                       \
    "  ],\n"                                                                                                           \
    "  \"blocks\": [\n" blocks "  ],\n"                                                                                \
    "  \"curves\": [\n"                                                                                                \
    "    {\"input\": 1,\n"                                                                                             \
    "     \"then\": [[-1.5, 0.5, 1.25], [0.1, 0.2, -0.3]], \"missing\": [0.7, 0.9],\n"                                 \
    "     \"terms\": [0, 1, 2]},\n"                                                                                    \
    "    {\"input\": 0, \"monotone\": \"+\", \"knots\": [1, 7, 28, 90.5],\n"                                           \
    "     \"then\": [[-18.3, -7.1, 2.4, 9.9], [-1, -0.5, 0, 0]], \"missing\": [-2.1, 0.3],\n"                          \
    "     \"terms\": [0, 2, 3],\n"                                                                                     \
    "     \"band\": [[1, 0.5, 0.3, 0.8, 2], [0.1, 0.2, 0.3, 0.4, 0.6]],\n"                                             \
    "     \"share\": [0.1, 0.3, 0.4, 0.15, 0.05], \"deviation\": [8.1, 0.4]}\n"                                        \
    "  ],\n"                                                                                                           \
    "  \"pairs\": [\n"                                                                                                 \
    "    {\"curves\": [1, 0], \"deviation\": [1.5, 0.2], \"then\": [[\n"                                               \
    "       [0.1, 0.2, -0.3],\n"                                                                                       \
    "       [0.4, 0.3, 0],\n"                                                                                          \
    "       [0.5, 0.6, 0.7]\n"                                                                                         \
    "     ], [\n"                                                                                                      \
    "       [-0.2, 0, 0],\n"                                                                                           \
    "       [0.1, 0, 0.125],\n"                                                                                        \
    "       [0.1, 0.2, 0.3]\n"                                                                                         \
    "     ]]}\n"                                                                                                       \
    "  ],\n"                                                                                                           \
    "  \"frontier\": [\n"                                                                                              \
    "    {\"name\": \"ridge regression\", \"options\": \"--preset ridge\", \"error\": 10.4, \"standard_error\": 0.3, " \
    "\"cost\": 9, \"rules\": 1},\n"                                                                                    \
    "    {\"name\": \"curves\", \"options\": \"\", \"error\": 5.3, \"cost\": 60, \"rules\": 40, \"chosen\": true}\n"   \
    "  ],\n"                                                                                                           \
    "  \"training\": {\n"                                                                                              \
    "    \"edited\": \"by hand\",\n"                                                                                   \
    "    \"curve\": []\n"                                                                                              \
    "  }\n"                                                                                                            \
    "}\n"
