// SPDX-License-Identifier: MIT
// Bessel functions of orders 0 and 1 for formulas of core/table, computed in double. It comes after
// elementary.h, in generated CUDA kernels only where one of these functions is called.
//
// Chebyshev series, by interpolation at 80 nodes of values with 40 digits (mpmath), cut where what
// follows is below the last place; the variables are the usual ones (M. Abramowitz, I. Stegun, "Handbook of
// Mathematical Functions", 9.4 and 9.8): below 8 powers of x^2, above it the modulus of Hankel's asymptotic
// form, sqrt(2 / (pi x)) (P cos(x - a) - Q sin(x - a)) with P and x Q as series of (8 / x)^2. So errors are a
// part of that modulus, not of the function near its zeros.
#ifndef ARR_MATH_BESSEL_H
#define ARR_MATH_BESSEL_H

// At t = x^2 / 32 - 1.
ARR_FN double arr_j0_small(double t) {
  return arr_series(t, 0.0, 0.0, 1.2218515873961411e-17, -7.588508125447546e-16, 4.125320595634374e-14,
                    -1.9438346867370164e-12, 7.848696314479465e-11, -2.679253530557673e-09,
                    7.608163592418782e-08, -1.7619469077621507e-06, 3.246032882100508e-05,
                    -0.00046062616620627504, 0.004819180069467605, -0.034893769411408884, 0.15806710233209725,
                    -0.37009499387264977, 0.2651786132033368, -0.008723442352852221, 0.15772797147489012);
}
// At t = x^2 / 32 - 1.
ARR_FN double arr_j1_small(double t) {
  return arr_series(t, 0.0, 0.0, -2.4441972916190464e-17, 1.4232144003513942e-15, -7.221755239651773e-14,
                    3.160154580348003e-12, -1.178026622695885e-10, 3.687133759097148e-09,
                    -9.521984756750436e-08, 1.9858774049915165e-06, -3.255554866857259e-05,
                    0.0004050337728354822, -0.003646940600769276, 0.022213639654966037, -0.08268049176681791,
                    0.1609992623572097, -0.1489751450676521, 0.08104484632565812);
}
// At t = x^2 / 32 - 1.
ARR_FN double arr_y0_small(double t) {
  return arr_series(t, 0.0, 0.0, -2.6977881152566837e-17, 1.6434898714919468e-15, -8.747341203310769e-14,
                    4.02633081830612e-12, -1.5837552541812015e-10, 5.248794787330516e-09,
                    -1.44072332740187e-07, 3.206532537654801e-06, -5.632079141056987e-05,
                    0.0007531135932577742, -0.007287962479552079, 0.04719668959576339, -0.17730201278114358,
                    0.26156734625504663, 0.17903431407718265, -0.2744743055297453, -0.03314611320328494);
}
// At t = x^2 / 32 - 1.
ARR_FN double arr_y1_small(double t) {
  return arr_series(t, 0.0, 0.0, 5.34668038572867e-17, -3.0511859694473254e-15, 1.51429151205002e-13,
                    -6.4651518414115946e-12, 2.344337905911516e-10, -7.11055004989928e-09,
                    1.7707804556154404e-07, -3.53808001868935e-06, 5.505982873338744e-05,
                    -0.0006414551451326356, 0.005289897544167113, -0.028328123944594365, 0.08445197259652346,
                    -0.09591204536083074, -0.01608717304766875, 0.0025380132357417816);
}
// At t = 2 (8 / x)^2 - 1.
ARR_FN double arr_p0_large(double t) {
  return arr_series(t, 0.0, 0.0, -1.0011513723467786e-16, 6.748072215733873e-16, -5.069034095935236e-15,
                    4.3265957431549404e-14, -4.3045788699253914e-13, 5.168262387349193e-12,
                    -7.86409137723707e-11, 1.6306464635151382e-09, -5.1705945376060975e-08,
                    3.0751847875194745e-06, -0.0005365220468132117, 0.9994603493475187);
}
// At t = 2 (8 / x)^2 - 1.
ARR_FN double arr_q0_large(double t) {
  return arr_series(t, 0.0, 0.0, 2.4865952389390515e-17, -1.3348852171502517e-16, 7.729703176242605e-16,
                    -4.87994410531204e-15, 3.4041800321963686e-14, -2.6690625482579414e-13,
                    2.404916100281365e-12, -2.565397936797308e-11, 3.376097523734991e-10,
                    -5.817532749493056e-09, 1.4377965798375193e-07, -5.9315987288485175e-06,
                    0.0005470815954089319, -0.12444683684269607);
}
// At t = 2 (8 / x)^2 - 1.
ARR_FN double arr_p1_large(double t) {
  return arr_series(t, 0.0, 0.0, 1.0667689114335412e-16, -7.221180842274018e-16, 5.452674896044717e-15,
                    -4.6842237839904895e-14, 4.699195515230542e-13, -5.704863640395645e-12,
                    8.816898659582339e-11, -1.8718907491063067e-09, 6.177633960644299e-08,
                    -3.987284300488908e-06, 0.0008989898330859408, 1.0009030408600137);
}
// At t = 2 (8 / x)^2 - 1.
ARR_FN double arr_q1_large(double t) {
  return arr_series(t, 0.0, 0.0, -2.626761589838529e-17, 1.4141084390211833e-16, -8.215318025458595e-16,
                    5.206626366226707e-15, -3.649001916061838e-14, 2.8774212663332235e-13,
                    -2.61145253946232e-12, 2.8121750359748866e-11, -3.749090950541556e-10,
                    6.583354662120443e-09, -1.676782510726674e-07, 7.3108922063643636e-06,
                    -0.0007702178839325664, 0.3742222965562826);
}

// J and Y above 8 by Hankel's asymptotic form, from the sine and cosine of x alone: c and s are sqrt(2) times
// those of x - pi/4.
ARR_FN double arr_hankel_asymptotic(double x, double p, double q, double c, double s) {
  return (p * c - q * s) * arr_sqrt(0.31830988618379067154 / x);
}
ARR_LARGE_FN double arr_bessel_j0(double a) {
  double x = arr_absolute(a), u = 8 / x, t = 2 * u * u - 1, c = arr_cos(x), s = arr_sin(x);
  if (x < 8) return x < 1e-8 ? 1 : arr_j0_small(x * x * 0.03125 - 1);
  return arr_isinf(x) ? 0 : arr_hankel_asymptotic(x, arr_p0_large(t), arr_q0_large(t) / x, c + s, s - c);
}
ARR_LARGE_FN double arr_bessel_j1(double a) {
  double x = arr_absolute(a), u = 8 / x, t = 2 * u * u - 1, c = arr_cos(x), s = arr_sin(x);
  if (x < 8) return a * arr_j1_small(x * x * 0.03125 - 1);
  double r =
      arr_isinf(x) ? 0 : arr_hankel_asymptotic(x, arr_p1_large(t), arr_q1_large(t) / x, s - c, -(s + c));
  return a < 0 ? -r : r;
}
ARR_LARGE_FN double arr_bessel_y0(double x) {
  double u = 8 / x, t = 2 * u * u - 1, c = arr_cos(x), s = arr_sin(x);
  if (x == 0) return -ARR_INF;
  if (!(x > 0)) return x < 0 ? ARR_INF - ARR_INF : x;
  if (x < 8) {
    return arr_y0_small(x * x * 0.03125 - 1) + 0.63661977236758134308 * arr_log(x) * arr_bessel_j0(x);
  }
  return arr_isinf(x) ? 0 : arr_hankel_asymptotic(x, arr_q0_large(t) / x, -arr_p0_large(t), c + s, s - c);
}
ARR_LARGE_FN double arr_bessel_y1(double x) {
  double u = 8 / x, t = 2 * u * u - 1, c = arr_cos(x), s = arr_sin(x);
  if (x == 0) return -ARR_INF;
  if (!(x > 0)) return x < 0 ? ARR_INF - ARR_INF : x;
  if (x < 8) {
    return x * arr_y1_small(x * x * 0.03125 - 1) +
           0.63661977236758134308 * (arr_log(x) * arr_bessel_j1(x) - 1 / x);
  }
  return arr_isinf(x) ? 0 : arr_hankel_asymptotic(x, arr_q1_large(t) / x, -arr_p1_large(t), s - c, -(s + c));
}

// The modified ones, with exp(-x) and exp(x) factored out.
ARR_FN double arr_i0_scaled(double x) {
  if (x < 1e-17) return 1;
  if (x <= 8) {
    return arr_series(
        x * 0.25 - 1, 0.0, 0.0, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15,
        -1.1685332877993451e-14, 7.676185498604936e-14, -4.856446783111929e-13, 2.95505266312964e-12,
        -1.726826291441556e-11, 9.675809035373237e-11, -5.189795601635263e-10, 2.6598237246823866e-09,
        -1.300025009986248e-08, 6.046995022541919e-08, -2.670793853940612e-07, 1.1173875391201037e-06,
        -4.4167383584587505e-06, 1.6448448070728896e-05, -5.754195010082104e-05, 0.00018850288509584165,
        -0.0005763755745385824, 0.0016394756169413357, -0.004324309995050576, 0.010546460394594998,
        -0.02373741480589947, 0.04930528423967071, -0.09490109704804764, 0.17162090152220877,
        -0.3046826723431984, 0.33839763720473803);
  }
  return arr_series(16 / x - 1, 0.0, 0.0, 4.3496205459895095e-17, 3.578251335364864e-17,
                    -2.8394250749491365e-16, -3.413590827125401e-16, 1.7713617425563138e-15,
                    3.812887509095516e-15, -9.556061522554188e-15, -4.150447113350103e-14,
                    1.5399632791432686e-14, 3.8527907422845503e-13, 7.180112030901503e-13,
                    -1.7941772838434477e-12, -1.3215813093245216e-11, -3.1499164022183746e-11,
                    1.1889145846231372e-11, 4.940602400877921e-10, 3.396232024439899e-09,
                    2.2666689906252972e-08, 2.0489185894563298e-07, 2.8913705208360314e-06,
                    6.889758346916696e-05, 0.003369116478255695, 0.4022452055070544) /
         arr_sqrt(x);
}
// The series is of I1(x) / x below 8.
ARR_FN double arr_i1_scaled(double x) {
  if (x <= 8) {
    return x * arr_series(x * 0.25 - 1, 0.0, 0.0, -2.111421214358166e-17, 1.5536319577362005e-16,
                          -1.1055969477353862e-15, 7.600684294735408e-15, -5.042185504727912e-14,
                          3.223793365945575e-13, -1.9839743977649436e-12, 1.1736186298890901e-11,
                          -6.663489723502027e-11, 3.625590281552117e-10, -1.8872497517228294e-09,
                          9.381537386495773e-09, -4.445059128796328e-08, 2.0032947535521353e-07,
                          -8.568720264695455e-07, 3.4702513081376785e-06, -1.3273163656039436e-05,
                          4.781565107550054e-05, -0.00016176081582589674, 0.0005122859561685758,
                          -0.0015135724506312532, 0.004156422944312888, -0.010564084894626197,
                          0.024726449030626516, -0.05294598120809499, 0.1026436586898471,
                          -0.17641651835783406, 0.12629359322181682);
  }
  return arr_series(
             16 / x - 1, 0.0, 0.0, -4.487904389029459e-17, -3.373365529991012e-17, 2.9791505049707064e-16,
             3.291549626426749e-16, -1.8786770313371095e-15, -3.8160926455326195e-15, 1.0421977734783763e-14,
             4.272268889457696e-14, -2.1013697293024633e-14, -4.08356841442551e-13, -7.198534387597068e-13,
             2.035626797421018e-12, 1.4125809190527645e-11, 3.2526034069729395e-11, -1.8974956357246978e-11,
             -5.589743479910689e-10, -3.835380384188357e-09, -2.631468847067486e-08, -2.5122362378523814e-07,
             -3.882564808879475e-06, -0.00011058893876262192, -0.00976109749136147, 0.38928811750914005) /
         arr_sqrt(x);
}
// exp(x) s in two steps: it overflows later than exp(x).
ARR_FN double arr_times_exp(double x, double s) {
  double e = arr_exp(x * 0.5);
  return x < 700 ? arr_exp(x) * s : e * s * e;
}
ARR_LARGE_FN double arr_bessel_i0(double a) {
  double x = arr_absolute(a);
  return x < 1e-8 ? 1 : arr_isinf(x) ? x : arr_times_exp(x, arr_i0_scaled(x));
}
ARR_LARGE_FN double arr_bessel_i1(double a) {
  double x = arr_absolute(a), r = arr_isinf(x) ? x : arr_times_exp(x, arr_i1_scaled(x));
  return a < 0 ? -r : r;
}
// log(x / 2): half of the least numbers has no digits.
ARR_FN double arr_log_half(double x) {
  return x < 1e-300 ? arr_log(x) - 0.69314718055994530942 : arr_log(0.5 * x);
}
ARR_LARGE_FN double arr_bessel_k0(double x) {
  if (x == 0) return ARR_INF;
  if (!(x > 0)) return x < 0 ? ARR_INF - ARR_INF : x;
  if (x <= 2) {
    return arr_series(x * x * 0.5 - 1, 0.0, 0.0, 1.3744654358807508e-16, 4.2598161427910826e-14,
                      1.0349695257633625e-11, 1.904516377220209e-09, 2.5347910790261494e-07,
                      2.286212103119452e-05, 0.001264615411446926, 0.0359799365153615, 0.3442898999246285,
                      -0.2676636966169514) -
           arr_log_half(x) * arr_bessel_i0(x);
  }
  if (arr_isinf(x)) return 0;
  double s = arr_series(
      4 / x - 1, 0.0, 0.0, 5.2103917776435543e-17, -1.6782311257549006e-16, 5.5120559994043335e-16,
      -1.848593377920907e-15, 6.340076476276646e-15, -2.2275133267462965e-14, 8.032890775068375e-14,
      -2.9800969231481784e-13, 1.1403405882073441e-12, -4.514597883374519e-12, 1.8559491149549264e-11,
      -7.957489244477396e-11, 3.5773972814003283e-10, -1.6975345093890614e-09, 8.574034017414225e-09,
      -4.660489897687948e-08, 2.766813639445015e-07, -1.8317555227191195e-06, 1.39498137188765e-05,
      -0.00012849549581627802, 0.0015698838857300533, -0.0314481013119645, 1.2201515410329777);
  return arr_exp(-x) * (s / arr_sqrt(x));
}
ARR_LARGE_FN double arr_bessel_k1(double x) {
  if (x == 0) return ARR_INF;
  if (!(x > 0)) return x < 0 ? ARR_INF - ARR_INF : x;
  if (x <= 2) {
    return arr_series(x * x * 0.5 - 1, 0.0, 0.0, -2.427449850519366e-15, -6.666901694199329e-13,
                      -1.4114883926335278e-10, -2.213387630734726e-08, -2.4334061415659684e-06,
                      -0.0001730288957513052, -0.006975723859639864, -0.12261118082265715,
                      -0.3531559607765449, 0.7626501136694739) /
               x +
           arr_log_half(x) * arr_bessel_i1(x);
  }
  if (arr_isinf(x)) return 0;
  double s = arr_series(
      4 / x - 1, 0.0, 0.0, -5.689462849193648e-17, 1.8380935752430455e-16, -6.057047270643018e-16,
      2.038703166239861e-15, -7.0198370892147685e-15, 2.4771544242195988e-14, -8.976705182010146e-14,
      3.348419666052243e-13, -1.2891739609498229e-12, 5.139639673482343e-12, -2.129967838427791e-11,
      9.218315187605315e-11, -4.1903547593419254e-10, 2.0150497551970347e-09, -1.0345762465678097e-08,
      5.7410841254500495e-08, -3.5019606030878126e-07, 2.406484947837217e-06, -1.936197974166083e-05,
      0.00019521551847135162, -0.002857816859622779, 0.10392373657681724, 1.3603130952422213);
  return arr_exp(-x) * (s / arr_sqrt(x));
}
template <class T>
ARR_FN T arr_j0(T x) {
  return (T)arr_bessel_j0((double)x);
}
template <class T>
ARR_FN T arr_j1(T x) {
  return (T)arr_bessel_j1((double)x);
}
template <class T>
ARR_FN T arr_y0(T x) {
  return (T)arr_bessel_y0((double)x);
}
template <class T>
ARR_FN T arr_y1(T x) {
  return (T)arr_bessel_y1((double)x);
}
template <class T>
ARR_FN T arr_i0(T x) {
  return (T)arr_bessel_i0((double)x);
}
template <class T>
ARR_FN T arr_i1(T x) {
  return (T)arr_bessel_i1((double)x);
}
template <class T>
ARR_FN T arr_k0(T x) {
  return (T)arr_bessel_k0((double)x);
}
template <class T>
ARR_FN T arr_k1(T x) {
  return (T)arr_bessel_k1((double)x);
}
template <class T>
ARR_FN T arr_i0e(T x) {
  double a = arr_absolute((double)x);
  return (T)(arr_isinf(a) ? 0 : arr_i0_scaled(a));
}
template <class T>
ARR_FN T arr_i1e(T x) {
  double a = arr_absolute((double)x), r = arr_isinf(a) ? 0 : arr_i1_scaled(a);
  return (T)(x < 0 ? -r : r);
}

#endif
