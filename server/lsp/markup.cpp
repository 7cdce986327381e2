// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both forms are built side by side; print picks one.
#include "server/lsp/markup.h"

namespace warpdrf::lsp {

static std::string escape(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (std::string_view("\\`*_{}[]<>#|~").find(c) != std::string_view::npos)
      out += '\\';
    out += c;
  }
  return out;
}

Markup::Block &Markup::last() {
  if (blocks.empty())
    paragraph();
  return blocks.back();
}

Markup &Markup::paragraph() {
  blocks.push_back({Kind::Paragraph, "", ""});
  return *this;
}

Markup &Markup::bullet() {
  blocks.push_back({Kind::Bullet, "", ""});
  return *this;
}

Markup &Markup::codeBlock(std::string text) {
  blocks.push_back({Kind::Code, text, text});
  return *this;
}

Markup &Markup::rule() {
  blocks.push_back({Kind::Rule, "", ""});
  return *this;
}

Markup &Markup::text(std::string_view text) {
  Block &block = last();
  block.markdown += escape(text);
  block.plain += text;
  return *this;
}

Markup &Markup::strong(std::string_view text) {
  Block &block = last();
  block.markdown += "**" + escape(text) + "**";
  block.plain += text;
  return *this;
}

Markup &Markup::code(std::string_view text) {
  Block &block = last();
  // A longer fence where the text itself has a backquote.
  std::string fence = text.find('`') == std::string_view::npos ? "`" : "`` ";
  block.markdown += fence + std::string(text) + std::string(fence.rbegin(), fence.rend());
  block.plain += text;
  return *this;
}

Markup &Markup::link(std::string_view label, std::string_view uri) {
  Block &block = last();
  block.markdown += "[" + escape(label) + "](" + std::string(uri) + ")";
  block.plain += label;
  return *this;
}

Markup &Markup::append(const Markup &other) {
  blocks.insert(blocks.end(), other.blocks.begin(), other.blocks.end());
  return *this;
}

std::string Markup::print(bool markdown) const {
  std::string out;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block &block = blocks[i];
    if (i > 0) {
      bool list = block.kind == Kind::Bullet && blocks[i - 1].kind == Kind::Bullet;
      out += list ? "\n" : "\n\n";
    }
    switch (block.kind) {
    case Kind::Paragraph:
      out += markdown ? block.markdown : block.plain;
      break;
    case Kind::Bullet:
      out += "- " + (markdown ? block.markdown : block.plain);
      break;
    case Kind::Code:
      out += markdown ? "```text\n" + block.markdown + "\n```" : block.plain;
      break;
    case Kind::Rule:
      out += "---";
      break;
    }
  }
  return out;
}

} // namespace warpdrf::lsp
