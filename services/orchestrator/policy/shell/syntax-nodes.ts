// Properties of the nodes of a parsed command.
import type { SyntaxNode, Word } from 'unbash'
import { wordSet } from './word-list.ts'

/** Types of nodes that a walk understands. A script with a node of another type cannot be judged. */
const KNOWN = wordSet(`
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
  if (node.type === 'Slice') return [node.offset, ...(node.length ? [node.length] : [])]
  // `${x@P}` expands the value as a prompt, with its substitutions.
  if (node.type === 'Transform') return /^[QEAaUuLKk]$/.test(node.operand.text) ? [] : null
  return node.type === 'TestBinary' && /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator) ? [node.left, node.right] : []
}

/** Why a node cannot be judged; a command that the parser had to recover is none that was meant. */
export function faultOf(node: SyntaxNode): string | null {
  if (!KNOWN.has(node.type)) return `it uses ${node.type}, which is not supported`
  if (node.type === 'Script' && 'errors' in node && (node.errors?.length ?? 0) > 0)
    return `it is not a valid shell command: ${node.errors?.[0]?.message}`
  // A shell takes all up to the bracket's end for an index, blanks and operators included.
  if (node.type === 'Command' && /^[A-Za-z_]\w*\[/.test(node.name?.text ?? ''))
    return 'an array index without a value is not supported'
  if (node.type === 'HereDoc' && node.closing === undefined) return 'a here-document has no end'
  if (node.type === 'Redirect' && node.target === undefined) return 'a redirection has no target'
  // A shell ends the word of a descriptor at its `-`, so that `<&-rm` runs `rm`.
  if (
    node.type === 'Redirect' &&
    node.operator.endsWith('&') &&
    !/^(\d+-?|-|[A-Za-z./$"'_][^-]*)$/.test(node.target?.text ?? '')
  )
    return 'this redirection of file descriptors is not supported'
  if ((node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') && node.script === undefined)
    return 'a substitution cannot be parsed'
  return null
}
