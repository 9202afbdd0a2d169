// fuzzylite as a peer of bench (see bench/peer_process.h): the same Takagi-Sugeno system, predicted row by row.
#include <fl/Headers.h>

#include <cmath>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

static const std::size_t inputs = 5, rules = 32;

static std::vector<double> load(const std::string &folder, const char *name)
{
    std::ifstream file(folder + "/grid-5x2/" + name + ".f64", std::ios::binary | std::ios::ate);
    std::vector<double> values(static_cast<std::size_t>(file.tellg()) / sizeof(double));
    file.seekg(0);
    file.read(reinterpret_cast<char *>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(double)));
    return values;
}

static std::string name(const char *prefix, std::size_t i) { return prefix + std::to_string(i); }

// theta as sg_model_theta has it: centres, sigmas, (rule, term).
static fl::Engine *build(const std::vector<double> &theta)
{
    fl::Engine *engine = new fl::Engine("tsk");
    for (std::size_t i = 0; i < inputs; i++) {
        fl::InputVariable *x = new fl::InputVariable(name("x", i), -1e6, 1e6);
        for (std::size_t k = 0; k < 2; k++)
            x->addTerm(new fl::Gaussian(name("mf", k), theta[2 * i + k], theta[2 * inputs + 2 * i + k]));
        engine->addInputVariable(x);
    }
    fl::OutputVariable *y = new fl::OutputVariable("y", -1e6, 1e6);
    y->setAggregation(fl::null);
    y->setDefuzzifier(new fl::WeightedAverage("TakagiSugeno"));
    fl::RuleBlock *block = new fl::RuleBlock;
    block->setConjunction(new fl::AlgebraicProduct);
    block->setImplication(fl::null);
    block->setActivation(new fl::General);
    for (std::size_t r = 0; r < rules; r++) { // the first input is the slowest index of the rules
        const double *b = theta.data() + 4 * inputs + r * (inputs + 1);
        std::vector<fl::scalar> terms(b + 1, b + inputs + 1);
        terms.push_back(b[0]);
        y->addTerm(new fl::Linear(name("c", r), terms, engine));
    }
    engine->addOutputVariable(y);
    for (std::size_t r = 0; r < rules; r++) {
        std::string text = "if ";
        for (std::size_t i = 0; i < inputs; i++)
            text += (i ? " and " : "") + name("x", i) + " is " + name("mf", r >> (inputs - 1 - i) & 1);
        block->addRule(fl::Rule::parse(text + " then y is " + name("c", r), engine));
    }
    engine->addRuleBlock(block);
    return engine;
}

static double predict(fl::Engine *engine, const double *x)
{
    for (std::size_t i = 0; i < inputs; i++) engine->getInputVariable(i)->setValue(x[i]);
    engine->process();
    return engine->getOutputVariable(0)->getValue();
}

static double cpu_ns()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

int main(int, char **argv)
{
    std::vector<double> x = load(argv[1], "x"), expected = load(argv[1], "y");
    fl::fuzzylite::setMachEps(1e-30); // it leaves rules out that fire less; 1e-6 as it comes
    fl::Engine *engine = build(load(argv[1], "theta"));
    for (std::size_t i = 0; i < 1000; i++)
        if (!(std::fabs(predict(engine, &x[i * inputs]) - expected[i]) <= 1e-9)) {
            std::cout << "wrong fuzzylite prediction of row " << i << std::endl;
            return 1;
        }
    std::cout << "note fuzzylite " << fl::fuzzylite::version() << "\ncan fuzzylite predict grid-5x2 f64\n"
              << "can fuzzylite row grid-5x2 f64\nready" << std::endl;
    std::size_t next = 0;
    for (std::string line; std::getline(std::cin, line);) {
        double sum = 0, ns;
        std::size_t rows = 0;
        double start = cpu_ns();
        do {
            for (int i = 0; i < 16; i++, rows++, next = (next + 1) % expected.size())
                sum += predict(engine, &x[next * inputs]);
            ns = cpu_ns() - start;
        } while (ns < 3e5);
        std::cout << (std::isfinite(sum) ? ns / static_cast<double>(rows) : -1) << std::endl;
    }
    delete engine;
    return 0;
}
