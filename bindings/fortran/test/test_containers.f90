! SPDX-License-Identifier: MIT
! test_containers.f90: derived types that hold arrays keep their values; a scope leaves no handle.
program test_containers
    use, intrinsic :: iso_fortran_env, only: real64, compiler_version
    use arr
    use testing
    use container_types
    implicit none
    type(arr_array), save :: kept
    kept = arr_ones([4])
    call each('assignment of types', assignments)
    call each('nested types', nested)
    call each('structure constructors', constructors)
    call each('lists of types', lists_of_types)
    call each('lists of arrays', lists)
    call each('allocatable components', allocatable_components)
    call each('allocatable scalars', allocatable_scalars)
    call each('move_alloc', moved)
    if (index(compiler_version(), 'flang') > 0) then
        print '(a)', 'left out: copies by source=, for which flang calls no assignment'
    else
        call each('source=', sourced)
        call each('polymorphic variables', polymorphic)
        call each('class(*)', unlimited)
    end if
    call each('pointer components', pointers)
    call growing_lists()
    call lists_that_grow_where_they_lie()
    call finish()

contains

    subroutine assignments()
        type(field) :: f, g
        integer :: i
        f = made(1d0)
        g = f
        f%u = f%u + 1
        call expect(total(f) == 16 .and. total(g) == 12, 'copies are apart')
        f = f
        call expect(total(f) == 16, 'self-assignment')
        do i = 1, 4
            g = f
            f = g
        end do
        block
            type(field) :: inner
            inner = f
            call expect(total(inner) == 16, 'a copy in a block')
        end block
        call expect(total(f) == 16 .and. total(g) == 16, 'after the block')
        call arr_release(g%u)
        call expect(total(f) == 16, 'after the release of a copy')
        g = f
        call expect(total(g) == 16, 'into a released one')
    end subroutine assignments

    subroutine nested()
        type(box) :: a, b, list(2)
        a = boxed(made(1d0))
        b = a
        a%inner%u = a%t
        call expect(total(b%inner) == 12 .and. sum_of(b%t) == 12, 'nested')
        list(1) = a
        list(2) = b
        b%inner = a%inner
        call expect(total(b%inner) == 20, 'a nested component')
        call expect(total(list(1)%inner) == 20 .and. total(list(2)%inner) == 12, 'a list of nested')
        block
            type(box) :: c
            c = list(1)
            list(2) = c
        end block
        call expect(total(list(2)%inner) == 20, 'through a block')
    end subroutine nested

    subroutine constructors()
        type(field) :: f, g
        type(box) :: b
        type(arr_array) :: a
        a = arr_ones([4])
        f = field(2 * a, a + 1)
        call expect(total(f) == 16 .and. total(f) == 16, 'a constructor of expressions')
        g = field(f%u, f%v)
        f = field(g%u + 1, twice(g%v))
        call expect(total(f) == 12 + 16 .and. total(g) == 16, 'a constructor of components')
        b = box(g, a)
        call expect(total(b%inner) == 16 .and. sum_of(b%t) == 4, 'a nested constructor')
        b = box(field(a, twice(a)), outer(a))
        call expect(total(b%inner) == 12 .and. sum_of(b%t) == 12, 'constructors of functions')
        call expect(total(field(a, a)) == 8 .and. total(field(a + 1, twice(a))) == 16, 'a constructor as an argument')
        call expect(sum_of(a) == 4, 'what constructors read')
    end subroutine constructors

    subroutine lists_of_types()
        type(field) :: f, g, two(2)
        type(field), allocatable :: list(:)
        integer :: i
        f = made(1d0)
        g = made(2d0)
        list = [f, g]
        call expect(total(list(1)) == 12 .and. total(list(2)) == 24, 'a list of types')
        two = list
        two(1) = g
        call expect(total(list(1)) == 12 .and. total(two(1)) == 24, 'an element of a copy')
        deallocate (list)
        call expect(total(f) == 12 .and. total(g) == 24 .and. total(two(2)) == 24, 'after the list')
        allocate (list(7))
        do i = 1, size(list)
            list(i) = made(real(i, real64))
        end do
        call expect(total(list(7)) == 84 .and. total(list(1)) == 12, 'elements from functions')
        call expect(total(f) == 12, 'what lists copied')
    end subroutine lists_of_types

    subroutine growing_lists()
        type(field) :: f
        type(field), allocatable :: list(:)
        integer :: i
        f = made(1d0)
        allocate (list(2))
        list(1) = f
        list(2) = made(3d0)
        list = [list, list]
        call expect(total(list(3)) == 12 .and. total(list(4)) == 36, 'a list that grows')
        list = [list(4), list(3)]
        call expect(total(list(1)) == 36 .and. total(list(2)) == 12, 'a part of a list')
        do i = 1, 5
            list = [list, f]
        end do
        call expect(total(list(7)) == 12 .and. total(list(1)) == 36, 'a list that grows in a loop')
        do i = 1, size(list)
            list(i) = made(real(i, real64))
        end do
        call expect(total(list(7)) == 84, 'elements from functions')
        call expect(total(f) == 12, 'what growing lists copied')
    end subroutine growing_lists

    ! Gives the allocator a free block for the right side, so that the list gets longer at its address.
    subroutine lists_that_grow_where_they_lie()
        type(field), allocatable :: list(:)
        character(:), allocatable :: block
        integer :: bytes
        do bytes = 100, 1000, 100
            allocate (character(bytes) :: block)
            allocate (list(2))
            list(1) = made(1d0)
            list(2) = made(3d0)
            deallocate (block)
            list = [list, list]
            call expect(total(list(3)) == 12 .and. total(list(4)) == 36, 'the new elements of a list')
            call expect(total(list(1)) == 12 .and. total(list(2)) == 36, 'the old elements of a list')
            list = [list(2:)]
            call expect(total(list(1)) == 36 .and. total(list(3)) == 36, 'a list that shrinks')
            list = [list(3), list(2), list(1)]
            call expect(total(list(1)) == 36 .and. total(list(2)) == 12, 'a list in another order')
            list = [list(2), list(2), list(2)]
            call expect(total(list(1)) == 12 .and. total(list(3)) == 12, 'an element as all of its list')
            deallocate (list)
        end do
    end subroutine lists_that_grow_where_they_lie

    subroutine lists()
        type(arr_array) :: a, b
        type(arr_array), allocatable :: list(:), other(:)
        integer :: i
        a = arr_ones([4])
        b = a + 1
        list = [a, b]
        list = [list, a]
        list = [list, twice(a), b * 2]
        call expect(size(list) == 5 .and. sum_of(list(4)) == 8 .and. sum_of(list(5)) == 16, 'a list of arrays')
        other = list
        do i = 1, 5
            other = [twice(a), list(1), a + b]
        end do
        call expect(sum_of(other(1)) == 8 .and. sum_of(other(3)) == 12, 'a list of functions')
        list = other(2:)
        call expect(size(list) == 2 .and. sum_of(list(2)) == 12, 'a part of another list')
        b = arr_multi_dot([arr_ones([2, 2]), twice(arr_ones([2, 2]))])
        call expect(sum_of(b) == 16, 'a list of results as an argument')
    end subroutine lists

    subroutine allocatable_components()
        type(simulation) :: s, other
        integer :: i
        allocate (s%fields(2))
        do i = 1, 2
            s%fields(i) = made(real(i, real64))
        end do
        s%now = s%fields(1)
        s%t = kept
        call expect(total(s%fields(2)) == 24 .and. total(s%now) == 12, 'allocatable components')
        other = s
        call expect(total(other%fields(1)) == 12 .and. total(other%fields(2)) == 24, 'a deep copy')
        call expect(total(other%now) == 12 .and. sum_of(other%t) == 4, 'the other components of a deep copy')
        call arr_keep(other%fields%u)
        call arr_keep(other%fields%v)
        deallocate (s%fields)
        call expect(total(other%fields(2)) == 24, 'a deep copy outlives what it copied, once kept')
        other = s
        call expect(.not. allocated(other%fields), 'a deep copy of nothing')
    end subroutine allocatable_components

    subroutine allocatable_scalars()
        type(field), allocatable :: f, g
        type(arr_array), allocatable :: a
        f = made(1d0)
        g = f
        f = made(2d0)
        call expect(total(g) == 12 .and. total(f) == 24, 'allocatable scalars')
        deallocate (f)
        call expect(total(g) == 12, 'one after the other is gone')
        allocate (a)
        a = twice(g%u)
        call expect(sum_of(a) == 8, 'an allocatable array')
    end subroutine allocatable_scalars

    subroutine moved()
        type(field), allocatable :: list(:), longer(:), one, other
        allocate (longer(2))
        longer(1) = made(1d0)
        longer(2)%u = longer(1)%u
        longer(2)%v = longer(1)%u
        call move_alloc(longer, list)
        call expect(total(list(1)) == 12 .and. total(list(2)) == 8, 'move_alloc of a list')
        allocate (one)
        one = list(1)
        call move_alloc(one, other)
        call expect(total(other) == 12, 'move_alloc of a scalar')
    end subroutine moved

    subroutine sourced()
        type(field), allocatable :: f, list(:)
        type(field) :: g
        g = made(1d0)
        allocate (f, source=g)
        allocate (list(3), source=g)
        call expect(total(f) == 12 .and. total(list(3)) == 12, 'source=')
        deallocate (list)
        call expect(total(f) == 12 .and. total(g) == 12, 'after one of the copies')
        allocate (list, source=[made(2d0), made(3d0)])
        call expect(total(list(1)) == 24 .and. total(list(2)) == 36, 'source= of functions')
        call expect(total(list(1)) == 24 .and. total(list(2)) == 36, 'source= of functions, again')
    end subroutine sourced

    subroutine polymorphic()
        class(field), allocatable :: f
        type(field3) :: g
        g%field = made(1d0)
        g%w = twice(g%u)
        allocate (f, source=g)
        call expect(total(f) == 12, 'a polymorphic copy')
        select type (f)
        type is (field3)
            call expect(sum_of(f%w) == 8, 'a component of the extension')
            f%w = f%w + f%u
            call expect(sum_of(f%w) == 12, 'an assigned component')
        end select
        call expect(sum_of(g%w) == 8 .and. total(g) == 12, 'what was copied')
        deallocate (f)
        call expect(total(g) == 12 .and. sum_of(g%w) == 8, 'what was copied, after the copy')
    end subroutine polymorphic

    subroutine unlimited()
        class(*), allocatable :: q
        type(field) :: f
        type(arr_array) :: a
        f = made(1d0)
        a = f%u
        allocate (q, source=f)
        select type (q)
        type is (field)
            call expect(total(q) == 12, 'a copy in class(*)')
        end select
        deallocate (q)
        call expect(total(f) == 12, 'what was copied to class(*)')
        allocate (q, source=a)
        select type (q)
        type is (arr_array)
            call expect(sum_of(q) == 4, 'an array in class(*)')
        end select
    end subroutine unlimited

    subroutine pointers()
        type(link) :: first, second
        allocate (first%at)
        first%at%u = kept
        first%at%v = twice(kept)
        first%own = twice(first%at%u)
        second = first
        call expect(associated(second%at, first%at) .and. sum_of(second%own) == 8, 'pointer components')
        second%at%u = second%own
        call expect(total(first%at) == 16, 'through the other pointer')
        deallocate (first%at)
    end subroutine pointers
end program test_containers
