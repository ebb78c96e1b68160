# SPDX-License-Identifier: MIT
"""arrtex.py: texels, textures and kernels over the C API, for tests."""

import ctypes

import numpy as np

import arrpy

c = arrpy.c

ADDRESS = {
    "clamp": c.ARR_ADDRESS_CLAMP,
    "wrap": c.ARR_ADDRESS_WRAP,
    "mirror": c.ARR_ADDRESS_MIRROR,
    "border": c.ARR_ADDRESS_BORDER,
}


FLAGS = {
    "": 0,
    "layered": c.ARR_TEXELS_LAYERED,
    "cube": c.ARR_TEXELS_CUBE,
    "cubes": c.ARR_TEXELS_CUBE | c.ARR_TEXELS_LAYERED,
    "gather": c.ARR_TEXELS_GATHER,
}


def options(
    address=(), linear=False, read_normalized=False, normalized=False, srgb=False, anisotropy=0, border=(0, 0, 0, 0)
):
    """address: names, of the last axis first."""
    o = c.arr_texture_options(
        struct_size=ctypes.sizeof(c.arr_texture_options),
        filter=int(linear),
        read=int(read_normalized),
        normalized=int(normalized),
        srgb=int(srgb),
        max_anisotropy=anisotropy,
        border_r=border[0],
        border_g=border[1],
        border_b=border[2],
        border_a=border[3],
    )
    for field, name in zip(("address_x", "address_y", "address_z"), address):
        setattr(o, field, ADDRESS.get(name, name))
    return o


class Handle:
    RELEASE = None

    def __init__(self, handle):
        self.handle = handle

    def __del__(self):
        if getattr(self, "handle", None):
            getattr(arrpy.lib, self.RELEASE)(self.handle)
            self.handle = None


class Texels(Handle):
    RELEASE = "arr_texels_release"

    def __init__(self, dtype, shape, channels=1, surface=False, device="host", flags=0):
        super().__init__(
            arrpy.made(
                "arr_texels_create",
                arrpy.number(dtype),
                channels,
                len(shape),
                arrpy.int64s(shape),
                int(surface) | flags,
                ctypes.byref(arrpy.device_of(device)),
                of=c.arr_texels,
            )
        )

    def copy_from(self, array, stream=None):
        arrpy.call("arr_texels_copy_from", self.handle, array.handle, stream)
        return self

    def copy_to(self, array, stream=None):
        arrpy.call("arr_texels_copy_to", self.handle, array.handle, stream)
        return array

    def info(self):
        numbers = [ctypes.c_int32() for _ in range(4)]
        shape = (ctypes.c_int64 * 3)()
        arrpy.call(
            "arr_texels_info",
            self.handle,
            ctypes.byref(numbers[0]),
            ctypes.byref(numbers[1]),
            ctypes.byref(numbers[2]),
            shape,
            ctypes.byref(numbers[3]),
        )
        return tuple(n.value for n in numbers[:3]), tuple(shape), numbers[3].value


class Texture(Handle):
    RELEASE = "arr_texture_release"

    def value(self):
        v = c.arr_value()
        arrpy.lib.arr_value_texture(ctypes.byref(v), self.handle)
        return v


def texture(texels, how=None):
    return Texture(
        arrpy.made("arr_texture_create", texels.handle, None if how is None else ctypes.byref(how), of=c.arr_texture)
    )


def texture_of_array(array, channels=1, how=None):
    return Texture(
        arrpy.made(
            "arr_texture_of_array", array.handle, channels, None if how is None else ctypes.byref(how), of=c.arr_texture
        )
    )


def surface(texels):
    return Texture(arrpy.made("arr_surface_create", texels.handle, of=c.arr_texture))


def pitched(x, device):
    """A copy in rows that begin where textures want them."""
    out = arrpy.made(
        "arr_create_pitched",
        arrpy.number(x.dtype),
        x.ndim,
        arrpy.int64s(x.shape),
        ctypes.byref(arrpy.device_of(device)),
        None,
    )
    out[...] = arrpy.array(x, device=device)
    return out


class Module(Handle):
    RELEASE = "arr_module_release"

    def __init__(self, source, device, names=()):
        text = source.encode()
        list_of = (ctypes.c_char_p * max(1, len(names)))(*(n.encode() for n in names))
        o = c.arr_module_options(
            struct_size=ctypes.sizeof(c.arr_module_options),
            nnames=len(names),
            names=ctypes.cast(list_of, type(c.arr_module_options().names)),
        )
        super().__init__(
            arrpy.made(
                "arr_module_load",
                text,
                len(text),
                ctypes.byref(arrpy.device_of(device)),
                ctypes.byref(o),
                of=c.arr_module,
            )
        )
        self.kernels = {}

    def kernel(self, name):
        if name not in self.kernels:
            k = arrpy.made("arr_module_kernel", self.handle, name.encode(), of=c.arr_kernel)
            self.kernels[name] = Kernel(k)
        return self.kernels[name].handle

    def launch(self, name, n, *args, stream=None, block=64):
        """n threads or a few more; arguments: arrays, textures, NumPy scalars."""
        values = (c.arr_value * len(args))(*(a.value() if isinstance(a, Texture) else arrpy.value(a) for a in args))
        arrpy.call(
            "arr_launch_raw",
            self.kernel(name),
            arrpy.int64s([-(-n // block), 1, 1]),
            arrpy.int32s([block, 1, 1]),
            0,
            len(values),
            values,
            stream,
        )


class Kernel(Handle):
    RELEASE = "arr_kernel_release"


def i4(x):
    return np.int32(x)
