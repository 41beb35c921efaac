// Terms of the DSP's commands, for tests/bench/fit_cost.py. Lines of VLEN, rows, function and its
// arguments come in; the line of the fit, the cycles of cost.h and the terms go out.
#include <iostream>
#include <sstream>

#include "compiler_bridge/layer/dsp_cost_terms.h"

int main() {
  for (std::string text; std::getline(std::cin, text);) {
    std::istringstream line(text);
    unsigned vlen = 0;
    int64_t rows = 0;
    presil::layer::DspCost cost;
    line >> vlen >> rows >> cost.function;
    for (int64_t argument; line >> argument;) cost.arguments.push_back(argument);
    const presil::layer::DspTerms found = presil::layer::terms_of(cost, rows, vlen);
    std::cout << found.line << ' ' << presil::layer::cycles_of(cost, rows);
    for (const double term : found.terms) std::cout << ' ' << term;
    std::cout << '\n';
  }
}
