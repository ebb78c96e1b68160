// SPDX-License-Identifier: MIT
// Texts from outside, so that what the library says is UTF-8 whatever bytes it was given.
#pragma once

#include <string>
#include <string_view>

namespace arr {

// Bytes of the character at the start of a text; 0 where they are no UTF-8, or there is no text.
size_t character_bytes(std::string_view text) noexcept;
// The first character for a message; of what is no UTF-8 the first byte.
std::string_view first_character(std::string_view text) noexcept;
// At most so many bytes of a text that is UTF-8, and no part of a character.
std::string_view cut(std::string_view text, size_t most) noexcept;
// Whether a terminal or an editor would begin a line there, or do something else than show a character.
bool is_control(std::string_view character) noexcept;
// "\xe9" of a byte that is part of no character: four bytes.
void escape_byte(char byte, char* four) noexcept;
// The text with its bytes that are no UTF-8 as escape_byte() shows them.
std::string as_utf8(std::string_view text);

}  // namespace arr
