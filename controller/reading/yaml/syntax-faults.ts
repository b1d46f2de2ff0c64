// Explains YAML parser errors at the place to fix.
import { isMap, isScalar, isSeq, visit, type Document, type ErrorCode, type Node, type YAMLError } from 'yaml'

/** Limit per file: thousands of errors have one cause. */
export const MOST_FAULTS = 100

export interface TextFault {
  offset: number
  code: string
  message: string
  hint: string
}

export function syntaxFaults(document: Document.Parsed, text: string): TextFault[] {
  const errors = [...document.errors, ...document.warnings].slice(0, MOST_FAULTS)
  const conflict = errors.length > 0 ? mergeConflict(document, text) : null
  if (conflict) return [conflict]
  return errors.map((error, index): TextFault => {
    const mayBeOpen = index < MOST_OPENERS && OPEN_CODES.includes(error.code)
    const opener = mayBeOpen ? openerOf(document, text, error.pos[0]) : null
    if (!opener) return { offset: error.pos[0], ...(versionFault(error, text) ?? explain(error.code, error.message)) }
    return {
      offset: opener.offset,
      code: 'yaml-syntax',
      message: `the ${opener.sign} that opens here is not closed`,
      hint: `add ${CLOSING[opener.sign]} where it ends`,
    }
  })
}

/** The lines that git writes around both sides of a conflict; everything else about them is a follow-up error. */
const CONFLICT = /^<{7} .*$[^]*^={7}\r?$[^]*^>{7} /m

function mergeConflict({ range: [from, , to] }: Document.Parsed, text: string): TextFault | null {
  const found = CONFLICT.exec(text.slice(from, to))
  return found === null
    ? null
    : {
        offset: from + found.index,
        code: 'merge-conflict',
        message: 'unresolved merge conflict',
        hint: 'keep one side, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>',
      }
}

function versionFault({ code, pos: [from, to] }: YAMLError, text: string): Omit<TextFault, 'offset'> | null {
  const version = /^\d{1,9}\.\d{1,9}$/.exec(text.slice(from, to))
  return code !== 'BAD_DIRECTIVE' || version === null
    ? null
    : {
        code: 'yaml-version',
        message: `YAML ${version[0]} is not supported: files are read as YAML 1.2`,
        hint: 'remove the line, or write %YAML 1.2; quote texts that look like numbers, and write true or false',
      }
}

/** Parser codes that include an unclosed bracket or quote. */
const OPEN_CODES: readonly string[] = ['MISSING_CHAR', 'BAD_INDENT']

const CLOSING: Record<string, string> = { '[': ']', '{': '}', '"': '"', "'": "'" }

/** Limit on searches for an opening sign: each visits the whole document. */
const MOST_OPENERS = 5

/** The parser reports an unclosed bracket or quote only at the end. */
function openerOf(document: Document.Parsed, text: string, offset: number): { offset: number; sign: string } | null {
  let found: { offset: number; sign: string } | null = null
  visit(document, {
    Node: (_, node) => {
      const [start, end] = node.range ?? [0, 0]
      if (start > offset || end < offset) return
      const sign = openingSign(node)
      const isClosed = end - start > 1 && text[end - 1] === CLOSING[sign ?? '']
      if (sign && !isClosed) found = { offset: start, sign }
    },
  })
  return found
}

function openingSign(node: Node): string | undefined {
  if (isScalar(node)) return SIGNS[node.type ?? '']
  if (isMap(node)) return node.flow ? '{' : undefined
  return isSeq(node) && node.flow ? '[' : undefined
}

const SIGNS: Record<string, string> = { QUOTE_DOUBLE: '"', QUOTE_SINGLE: "'" }

/** Parser messages may quote a secret; only those known to be safe are used. */
function explain(code: ErrorCode, message: string): { code: string; message: string; hint: string } {
  const said = EXPLANATIONS[code]
  if (said) return { code: 'yaml-syntax', hint: DEFAULT_HINT, ...said }
  if (QUOTES_NOTHING.has(code))
    return { code: 'yaml-syntax', message: lower(message.replace(/"quote/, '" quote')), hint: DEFAULT_HINT }
  return { code: 'yaml-syntax', message: 'unexpected content', hint: DEFAULT_HINT }
}

const DEFAULT_HINT = 'check the indentation, quotes and brackets on this line and the one before'

const EXPLANATIONS: Partial<Record<ErrorCode, { code?: string; message: string; hint?: string }>> = {
  TAB_AS_INDENT: { code: 'tab-indent', message: 'tab used for indentation', hint: 'indent with spaces' },
  TAG_RESOLVE_FAILED: {
    code: 'unknown-tag',
    message: 'unknown tag, or a value that does not fit it',
    hint: 'remove the tag; quote a string that begins with !',
  },
  BAD_COLLECTION_TYPE: {
    code: 'unknown-tag',
    message: 'the tag does not fit this type of value',
    hint: 'remove the tag; quote a string that begins with !',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a mapping cannot begin here',
    hint: 'quote a string that contains ": ", and indent the fields of a mapping equally',
  },
  BAD_SCALAR_START: {
    message: 'an unquoted string cannot begin with this character',
    hint: 'quote the string',
  },
  BAD_DQ_ESCAPE: {
    message: 'unknown escape in a double-quoted string',
    hint: 'write \\\\ for a backslash, or use single quotes',
  },
  BAD_DIRECTIVE: { message: 'unknown directive', hint: 'remove the line: only %YAML 1.2 is supported' },
  BAD_ALIAS: { message: 'an anchor or alias needs a name', hint: 'quote a string that begins with & or *' },
}

/** Errors whose parser message never quotes the text. */
const QUOTES_NOTHING: ReadonlySet<ErrorCode> = new Set([
  ...(['ALIAS_PROPS', 'BAD_INDENT', 'BLOCK_IN_FLOW', 'KEY_OVER_1024_CHARS', 'MISSING_CHAR'] as const),
  ...(['MULTILINE_IMPLICIT_KEY', 'MULTIPLE_ANCHORS', 'MULTIPLE_TAGS', 'IMPOSSIBLE'] as const),
])

function lower(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1)
}
