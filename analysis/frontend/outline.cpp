// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/outline.h"

#include "analysis/frontend/ranges.h"

#include <algorithm>

namespace warpdrf::frontend {
namespace {

using Kind = Statement::Kind;

class Outliner {
public:
  explicit Outliner(clang::ASTContext &ast)
      : sources(ast.getSourceManager()), language(ast.getLangOpts()) {}

  std::vector<Statement> run(const std::vector<clang::Decl *> &declarations) {
    for (const clang::Decl *root : declarations)
      declaration(root);
    auto order = [](const Statement &a, const Statement &b) { return a.range < b.range; };
    std::sort(result.begin(), result.end(), order);
    auto same = [](const Statement &a, const Statement &b) { return a.range == b.range; };
    result.erase(std::unique(result.begin(), result.end(), same), result.end());
    return std::move(result);
  }

private:
  void declaration(const clang::Decl *root) {
    if (!sources.isInMainFile(sources.getExpansionLoc(root->getLocation())))
      return;
    if (const auto *pattern = llvm::dyn_cast<clang::TemplateDecl>(root)) {
      if (pattern->getTemplatedDecl())
        declaration(pattern->getTemplatedDecl());
    } else if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(root)) {
      if (function->isTemplateInstantiation() || isLambda(function))
        return;
      const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(
          function->doesThisDeclarationHaveABody() ? function->getBody() : nullptr);
      if (body && !body->getBeginLoc().isMacroID())
        result.push_back(statement(body));
    } else if (const auto *context = llvm::dyn_cast<clang::DeclContext>(root)) {
      for (const clang::Decl *inner : context->decls())
        declaration(inner);
    }
  }

  static bool isLambda(const clang::FunctionDecl *function) {
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    return method && method->getParent()->isLambda();
  }

  /// The range in the file, with the `;` that Clang leaves out of expression and jump statements.
  Range textRange(const clang::Stmt *node) const {
    clang::SourceLocation last = sources.getExpansionRange(node->getEndLoc()).getEnd();
    std::optional<clang::Token> next = clang::Lexer::findNextToken(last, sources, language);
    clang::SourceLocation end =
        next && next->is(clang::tok::semi) && wantsSemicolon(node) ? next->getLocation() : last;
    return rangeOf(sources, language, clang::SourceRange(node->getBeginLoc(), end));
  }

  static bool wantsSemicolon(const clang::Stmt *node) {
    return llvm::isa<clang::Expr, clang::DoStmt, clang::ReturnStmt, clang::BreakStmt,
                     clang::ContinueStmt, clang::GotoStmt, clang::IndirectGotoStmt, clang::AsmStmt,
                     clang::CoreturnStmt>(node);
  }

  Statement statement(const clang::Stmt *node) {
    Statement made;
    made.range = textRange(node);
    return macroWrote(node) ? made : filled(std::move(made), node);
  }

  /// Whether all of it comes from one macro use, so that nothing can be inserted inside.
  bool macroWrote(const clang::Stmt *node) const {
    return node->getBeginLoc().isMacroID() && node->getEndLoc().isMacroID() &&
           sources.getExpansionLoc(node->getBeginLoc()) ==
               sources.getExpansionLoc(node->getEndLoc());
  }

  Statement filled(Statement made, const clang::Stmt *node) {
    auto child = [&](const clang::Stmt *inner) {
      if (!inner || llvm::isa<clang::NullStmt>(inner))
        return;
      made.children.push_back(statement(inner));
      made.range.end = std::max(made.range.end, made.children.back().range.end);
    };
    if (const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(node)) {
      made.kind = Kind::Compound;
      for (const clang::Stmt *inner : compound->body())
        child(inner);
    } else if (const auto *branch = llvm::dyn_cast<clang::IfStmt>(node)) {
      made.kind = Kind::If;
      if (!branch->getConditionVariable() && !branch->hasInitStorage())
        made.condition = written(branch->getCond());
      child(branch->getThen());
      child(branch->getElse());
    } else if (const clang::Stmt *body = loopBody(node)) {
      made.kind = Kind::Loop;
      loopHeader(made, node);
      child(body);
    } else if (const auto *choice = llvm::dyn_cast<clang::SwitchStmt>(node)) {
      made.kind = Kind::Switch;
      child(choice->getBody());
    } else if (const clang::Stmt *labelled = labelledStatement(node)) {
      child(labelled);
    } else if (const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(node)) {
      return attributedStatement(std::move(made), attributed);
    } else if (llvm::isa<clang::DeclStmt>(node)) {
      made.kind = Kind::Declaration;
      declared(made, node);
    } else {
      made.kind = jumpKind(node);
    }
    return made;
  }

  Range written(const clang::Stmt *part) const {
    return part ? rangeOf(sources, language, part->getSourceRange()) : Range();
  }

  void loopHeader(Statement &made, const clang::Stmt *node) const {
    if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(node)) {
      if (!loop->getConditionVariable())
        made.condition = written(loop->getCond());
      made.init = written(loop->getInit());
      made.step = written(loop->getInc());
      declared(made, loop->getInit());
    } else if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(node)) {
      if (!loop->getConditionVariable())
        made.condition = written(loop->getCond());
    } else if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(node)) {
      made.condition = written(loop->getCond());
    }
  }

  void declared(Statement &made, const clang::Stmt *node) const {
    const auto *statement = llvm::dyn_cast_or_null<clang::DeclStmt>(node);
    const auto *variable = statement && statement->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(statement->getSingleDecl())
                               : nullptr;
    if (!variable || !variable->getInit() || variable->getInitStyle() != clang::VarDecl::CInit)
      return;
    made.name = variable->getNameAsString();
    made.value = written(variable->getInit());
  }

  static const clang::Stmt *loopBody(const clang::Stmt *node) {
    if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(node))
      return loop->getBody();
    if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(node))
      return loop->getBody();
    if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(node))
      return loop->getBody();
    if (const auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(node))
      return loop->getBody();
    return nullptr;
  }

  static const clang::Stmt *labelledStatement(const clang::Stmt *node) {
    if (const auto *label = llvm::dyn_cast<clang::SwitchCase>(node))
      return label->getSubStmt();
    if (const auto *label = llvm::dyn_cast<clang::LabelStmt>(node))
      return label->getSubStmt();
    return nullptr;
  }

  static Kind jumpKind(const clang::Stmt *node) {
    if (llvm::isa<clang::ReturnStmt>(node))
      return Kind::Return;
    if (llvm::isa<clang::BreakStmt>(node))
      return Kind::Break;
    return llvm::isa<clang::ContinueStmt>(node) ? Kind::Continue : Kind::Other;
  }

  /// `#pragma unroll` and its loop are one statement: text goes before the pragma, not between.
  Statement attributedStatement(Statement made, const clang::AttributedStmt *attributed) {
    Statement inner = statement(attributed->getSubStmt());
    inner.range.begin = std::min(inner.range.begin, made.range.begin);
    for (const clang::Attr *attribute : attributed->getAttrs()) {
      Range written = rangeOf(sources, language, attribute->getRange());
      if (written.valid() && written.file == inner.range.file)
        inner.range.begin = std::min(inner.range.begin, written.begin);
    }
    return inner;
  }

  const clang::SourceManager &sources;
  const clang::LangOptions &language;
  std::vector<Statement> result;
};

} // namespace

std::vector<Statement> outline(clang::ASTContext &ast,
                               const std::vector<clang::Decl *> &declarations) {
  return Outliner(ast).run(declarations);
}

} // namespace warpdrf::frontend
