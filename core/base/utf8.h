// SPDX-License-Identifier: MIT
// UTF-8 of texts from outside: messages of the library are valid UTF-8, whatever bytes it was passed.
#pragma once

#include <string>
#include <string_view>

namespace arr {

// The length of the character at the start of a text; 0 if it is not UTF-8, or the text is empty.
size_t character_bytes(std::string_view text) noexcept;
// The first character for a message; the first byte if the text is not UTF-8.
std::string_view first_character(std::string_view text) noexcept;
// At most `max_size` bytes of a text that is UTF-8, and no part of a character.
std::string_view cut(std::string_view text, size_t max_size) noexcept;
// True if a terminal or an editor would begin a line there, or do something else than show a character.
bool is_control(std::string_view character) noexcept;
// "\xe9" for a byte that is not part of a character: four bytes.
void escape_byte(char byte, char* four) noexcept;
// The text with bytes that are not UTF-8 replaced as by escape_byte().
std::string as_utf8(std::string_view text);

}  // namespace arr
