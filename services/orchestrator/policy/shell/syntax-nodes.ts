// What is known of the nodes of a parsed command.
import type { SyntaxNode } from 'unbash'
import { wordSet } from './word-list.ts'

/** Types of nodes that a walk understands. A script with a node of another type cannot be judged. */
export const KNOWN = wordSet(`
  Script Statement CompoundList CaseItem Elif Pipeline Time Negation AndOr Command
  If For ArithmeticFor Select While Subshell BraceGroup Case Function Coproc
  TestCommand TestUnary TestBinary TestLogical TestNot TestGroup
  Word Literal Glob ExtendedGlob SingleQuoted DoubleQuoted AnsiCQuoted LocaleString
  SimpleExpansion ParameterExpansion CommandExpansion ArithmeticExpansion BraceExpansion ProcessSubstitution
  Default Remove Replace Slice CaseModification Transform Names
  Assignment ArrayValue Redirected Redirect HereString HereDoc HereDocDelimiter HereDocBody
  FileDescriptor FileDescriptorVariable
  ArithmeticCommand ArithmeticBinary ArithmeticUnary ArithmeticTernary ArithmeticGroup ArithmeticWord
  ArithmeticCommandExpansion
`)

/** Arithmetic evaluates the values of variables in turn, and an index in one may hold a substitution. */
export function evaluates(node: SyntaxNode): boolean {
  if (node.type === 'ArithmeticWord') return !/^\d*$/.test(node.value)
  if (node.type === 'TestUnary') return /^-[vR]$/.test(node.operator)
  if (node.type !== 'TestBinary' || !/^-(eq|ne|lt|le|gt|ge)$/.test(node.operator)) return false
  return ![node.left, node.right].every(({ value }) => /^-?\d+$/.test(value))
}
