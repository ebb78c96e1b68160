/* SPDX-License-Identifier: MIT */
/* constants.h - mathematical constants as float64. */
#ifndef ARR_CONSTANTS_H
#define ARR_CONSTANTS_H

#define ARR_PI 3.141592653589793 /* ratio of a circle's circumference to its diameter @cupy cupy.pi */
#define ARR_E 2.718281828459045  /* base of the natural logarithm @cupy cupy.e */
#define ARR_EULER_GAMMA 0.5772156649015329 /* Euler's constant @cupy cupy.euler_gamma */
#define ARR_INFINITY __builtin_inf()       /* plus infinity @cupy cupy.inf */
#define ARR_NAN __builtin_nan("")          /* not a number @cupy cupy.nan */

#endif
