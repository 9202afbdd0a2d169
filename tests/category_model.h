/* category_model.h: a model file by hand, with a category: two rules that ask for it. */
#ifndef SG_TESTS_CATEGORY_MODEL_H
#define SG_TESTS_CATEGORY_MODEL_H

static const char category_model[] =
    "{\n"
    "  \"kind\": \"sugeno model\",\n"
    "  \"format\": 1,\n"
    "  \"inputs\": [\n"
    "    {\"name\": \"sex\", \"levels\": [\"F\", \"I\", \"7\"], \"others\": true, \"shares\": [0.25, 0.5, 0.125, 0.125]},\n"
    "    {\"name\": \"u\", \"low\": -1.5, \"high\": 2.5, \"mean\": 0.625}\n"
    "  ],\n"
    "  \"targets\": [\n"
    "    {\"name\": \"y\", \"mean\": 0, \"scale\": 1, \"y0\": 0}\n"
    "  ],\n"
    "  \"antecedents_see\": [\n"
    "  ],\n"
    "  \"blocks\": [\n"
    "    {\n"
    "      \"mf\": \"gauss\",\n"
    "      \"weight\": 1,\n"
    "      \"h\": 1,\n"
    "      \"rank\": 0,\n"
    "      \"mfs\": [\n"
    "        {\"input\": 0, \"c\": 0, \"sigma\": 0.5},\n"
    "        {\"input\": 0, \"c\": 1, \"sigma\": 0.5},\n"
    "        {\"input\": 1, \"c\": 0.5, \"sigma\": 0.5},\n"
    "        {\"input\": 2, \"c\": 0.75, \"sigma\": 1},\n"
    "        {\"input\": 3, \"c\": 0.25, \"sigma\": 1}\n"
    "      ],\n"
    "      \"rules\": [\n"
    "        {\"if\": [0, 2, 3, -1, -1], \"then\": [[0.5, 1.5, -2.5, 3.5, 4.5, 8]]},\n"
    "        {\"if\": [1, -1, -1, 4, -1], \"then\": [[-1, 0, 0, 0, 0, 1]]}\n"
    "      ]\n"
    "    }\n"
    "  ],\n"
    "  \"training\": {\n"
    "    \"curve\": []\n"
    "  }\n"
    "}\n";

#endif
