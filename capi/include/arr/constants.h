/* SPDX-License-Identifier: MIT */
/* constants.h - mathematical constants as float64. */
#ifndef ARR_CONSTANTS_H
#define ARR_CONSTANTS_H

#define ARR_PI 3.141592653589793           /* ratio of a circle's circumference to its diameter */
#define ARR_E 2.718281828459045            /* base of the natural logarithm */
#define ARR_EULER_GAMMA 0.5772156649015329 /* Euler's constant */
#define ARR_INFINITY __builtin_inf()       /* plus infinity */
#define ARR_NAN __builtin_nan("")          /* not a number */

#endif
