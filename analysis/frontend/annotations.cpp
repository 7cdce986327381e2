// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/annotations.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

namespace warpdrf::frontend {
namespace {

/// Splits `// warpdrf: keyword text -- reason`; false for any other comment.
bool split(llvm::StringRef comment, Annotation &annotation) {
  if (!comment.consume_front("//"))
    return false;
  comment = comment.ltrim("/!").ltrim();
  if (!comment.consume_front("warpdrf:"))
    return false;
  auto [body, reason] = comment.split(" -- ");
  body = body.trim();
  llvm::StringRef keyword =
      body.take_while([](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
  annotation.keyword = keyword.str();
  annotation.text = body.drop_front(keyword.size()).trim().str();
  annotation.reason = reason.trim().str();
  return true;
}

class Finder {
public:
  Finder(const std::string &path, const std::string &text)
      : path(path), text(text), lexer(clang::SourceLocation(), language(), text.data(), text.data(),
                                      text.data() + text.size()) {
    lexer.SetCommentRetentionState(true);
  }

  std::vector<Annotation> run() {
    clang::Token token;
    bool directive = false;
    do {
      lexer.LexFromRawLexer(token);
      unsigned end = lexer.getCurrentBufferOffset();
      unsigned begin = end - token.getLength();
      advance(begin);
      if (token.is(clang::tok::comment)) {
        comment(begin, end);
      } else if (token.isNot(clang::tok::eof)) {
        // `#pragma unroll` between a comment and its loop is not the code that is meant.
        if (token.isAtStartOfLine())
          directive = token.is(clang::tok::hash);
        if (!directive)
          code();
      }
    } while (token.isNot(clang::tok::eof));
    return std::move(result);
  }

private:
  static const clang::LangOptions &language() {
    static const clang::LangOptions options = [] {
      clang::LangOptions cuda;
      cuda.CPlusPlus = cuda.CPlusPlus11 = cuda.CPlusPlus14 = cuda.CPlusPlus17 = true;
      cuda.LineComment = true;
      cuda.RawStringLiterals = true;
      cuda.CUDA = true;
      return cuda;
    }();
    return options;
  }

  void advance(unsigned offset) {
    for (; at < offset; ++at)
      if (text[at] == '\n') {
        ++line;
        lineBegin = at + 1;
      }
  }

  void code() {
    codeLine = line;
    for (; waiting < result.size(); ++waiting)
      result[waiting].line = line;
  }

  void comment(unsigned begin, unsigned end) {
    Annotation annotation;
    llvm::StringRef spelling = llvm::StringRef(text).slice(begin, end).rtrim();
    if (!split(spelling, annotation))
      return;
    unsigned column = begin - lineBegin + 1;
    annotation.range = {
        path, {line, column}, {line, column + static_cast<unsigned>(spelling.size())}};
    annotation.line = line;
    // Those before it in the list have their line, or wait for the same one.
    bool trailing = codeLine == line;
    result.push_back(std::move(annotation));
    if (trailing)
      waiting = result.size();
  }

  const std::string &path;
  const std::string &text;
  clang::Lexer lexer;
  std::vector<Annotation> result;
  std::size_t waiting = 0; ///< annotations from here on wait for a line with code
  unsigned at = 0, line = 1, lineBegin = 0, codeLine = 0;
};

} // namespace

std::vector<Annotation> findAnnotations(const std::string &path, const std::string &text) {
  return Finder(path, text).run();
}

} // namespace warpdrf::frontend
