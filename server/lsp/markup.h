// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text for people that prints as Markdown or as plain text, whichever the client takes. Program
// text is kept apart from prose: in Markdown `__syncwarp` unescaped would come out bold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpdrf::lsp {

class Markup {
public:
  /// Starts a block; the inline calls that follow add to it.
  Markup &paragraph();
  Markup &bullet();
  Markup &codeBlock(std::string text);
  Markup &rule();

  Markup &text(std::string_view text);
  Markup &strong(std::string_view text);
  Markup &code(std::string_view text);
  /// In plain text only the label remains.
  Markup &link(std::string_view label, std::string_view uri);

  /// Adds the blocks of another.
  Markup &append(const Markup &other);

  std::string print(bool markdown) const;

private:
  enum class Kind { Paragraph, Bullet, Code, Rule };
  struct Block {
    Kind kind;
    std::string markdown;
    std::string plain;
  };
  std::vector<Block> blocks;

  Block &last();
};

} // namespace warpdrf::lsp
