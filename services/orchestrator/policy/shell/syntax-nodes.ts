// What is known of the nodes of a parsed command.
import type { SyntaxNode, Word } from 'unbash'
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

/**
 * Texts that a node evaluates as arithmetic: the value of a variable in turn, and an index in one may hold a
 * substitution. Null for one that may be anything.
 */
export function evaluated(node: SyntaxNode): (Word | string)[] | null {
  if (node.type === 'ArithmeticWord') return [node.value]
  if (node.type === 'TestUnary' && /^-[vR]$/.test(node.operator)) return null
  return node.type === 'TestBinary' && /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator) ? [node.left, node.right] : []
}
