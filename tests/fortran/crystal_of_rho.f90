! SPDX-License-Identifier: BSD-3-Clause
!> The G vectors and the density of a real crystal, from a file RHO of BerkeleyGW (one spin, complex), as its Sigma code holds them.
module crystal_of_rho
  use, intrinsic :: iso_c_binding, only: c_double, c_double_complex
  implicit none (type, external)
  private
  public :: read_crystal, place_of, sphere

  integer, parameter :: dp = c_double

  type, public :: crystal
    integer, allocatable :: components(:,:)               !< (3,ng)
    complex(c_double_complex), allocatable :: rho(:)      !< (ng) electrons
    real(dp) :: bdot(3, 3), celvol
    integer, allocatable :: places(:,:,:)                 !< of a vector in components; 0: none
  end type

contains

  type(crystal) function read_crystal(path) result(c)
    character(len=*), intent(in) :: path
    character(len=32) :: title
    integer :: unit, nspin, ng, records, length, i, reach
    real(dp) :: recvol, blat, bvec(3, 3)

    open (newunit=unit, file=path, form="unformatted", status="old", action="read")
    read (unit) title
    read (unit) nspin, ng
    if (title(:11) /= "RHO-Complex" .or. nspin /= 1) error stop "not a RHO of one spin in the complex flavour"
    read (unit)
    read (unit) c%celvol
    read (unit) recvol, blat, bvec, c%bdot
    do i = 1, 3 ! symmetries and atoms
      read (unit)
    end do
    allocate(c%components(3, ng), c%rho(ng))
    read (unit) records
    read (unit) length
    read (unit) c%components
    read (unit) records
    read (unit) length
    read (unit) c%rho
    close (unit)
    reach = 2 * maxval(abs(c%components))
    allocate(c%places(-reach:reach, -reach:reach, -reach:reach), source=0)
    do i = 1, ng
      c%places(c%components(1, i), c%components(2, i), c%components(3, i)) = i
    end do
  end function

  !> 0 where the list lacks it.
  pure integer function place_of(c, g)
    type(crystal), intent(in) :: c
    integer, intent(in) :: g(3)

    place_of = 0
    if (all(abs(g) <= ubound(c%places, 1))) place_of = c%places(g(1), g(2), g(3))
  end function

  !> Places of all G with |k+G|^2 below the cutoff (Ry). k may lie far from the zone that is around 0.
  pure function sphere(c, k, cutoff) result(isrt)
    type(crystal), intent(in) :: c
    real(dp), intent(in) :: k(3), cutoff
    integer, allocatable :: isrt(:)
    integer :: i

    isrt = pack([(i, i = 1, size(c%rho))], [(energy(i) < cutoff, i = 1, size(c%rho))])

  contains

    pure real(dp) function energy(i)
      integer, intent(in) :: i

      energy = dot_product(k + c%components(:, i), matmul(c%bdot, k + c%components(:, i)))
    end function
  end function
end module
