// SPDX-License-Identifier: MIT
// Locks of a module at fork(). A module has its own copy of base. The core holds the module's locks together
// with its own, through an object in its list (HeldAtFork of fork.h) that calls these functions of the
// module.
#pragma once

namespace arr {

// Takes all locks of this library or module, or none if one of them is held. With `late` it takes those that
// are free, and returns true. Never waits.
bool try_lock_all_for_fork(bool late) noexcept;
void unlock_all_after_fork() noexcept;

// True while the core makes its last attempt before a fork, in which it takes the locks that are free.
bool fork_is_late() noexcept;

}  // namespace arr
