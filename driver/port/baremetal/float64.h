/* float64 and 64-bit conversions by the names of the Run-time ABI, which passes floats as integers
 * on every core: arguments and results are the bits. */
#ifndef PRESIL_BAREMETAL_FLOAT64_H
#define PRESIL_BAREMETAL_FLOAT64_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint64_t __aeabi_dadd(uint64_t a, uint64_t b);
uint64_t __aeabi_dsub(uint64_t a, uint64_t b);
uint64_t __aeabi_dmul(uint64_t a, uint64_t b);
uint64_t __aeabi_ddiv(uint64_t a, uint64_t b);
int __aeabi_dcmpeq(uint64_t a, uint64_t b);
int __aeabi_dcmplt(uint64_t a, uint64_t b);
int __aeabi_dcmple(uint64_t a, uint64_t b);
int __aeabi_dcmpgt(uint64_t a, uint64_t b);
int __aeabi_dcmpge(uint64_t a, uint64_t b);
int __aeabi_dcmpun(uint64_t a, uint64_t b);
uint64_t __aeabi_f2d(uint32_t x);
uint32_t __aeabi_d2f(uint64_t x);
uint64_t __aeabi_i2d(int32_t n);
uint64_t __aeabi_ui2d(uint32_t n);
uint64_t __aeabi_ul2d(uint64_t n);
uint64_t __aeabi_l2d(int64_t n);
int32_t __aeabi_d2iz(uint64_t x);
int64_t __aeabi_d2lz(uint64_t x);
uint32_t __aeabi_ul2f(uint64_t n);
uint32_t __aeabi_l2f(int64_t n);
int64_t __aeabi_f2lz(uint32_t x);

#ifdef __cplusplus
}
#endif
#endif
