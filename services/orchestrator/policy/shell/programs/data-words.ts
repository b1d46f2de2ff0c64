// Words that are not known before a command runs, and are harmless to its program: text, names and numbers.
import type { ShellWord } from '../shell-word.ts'
import { wordSet } from '../word-list.ts'

/** Any word is text to them. */
const TEXT = wordSet('echo true false : basename dirname')
/** They only read the files that they are given, whatever their options. */
const READERS = wordSet(`
  cat head tail wc grep egrep fgrep nl ls stat file du tac rev cmp diff comm paste md5sum sha1sum sha256sum cksum
  basename dirname realpath readlink
`)
const NUMBERS = wordSet('sleep seq kill exit return wait head tail')
/** What follows `--` is the name of a file to them. */
const DASHED = wordSet('git rg sort rm mkdir touch')
/** Without the conversions that reckon in zsh. */
const TEXT_FORMAT = /^(?!-)([^%]|%[-\d.]*[sqb%])*$/
const COMPARES = /^(=|==|!=)$/
const TESTS = /^-[a-uw-zA-QS-Z]$/

/** Whether the word at `at`, which is not known, can do no harm there. */
export function isData(words: readonly ShellWord[], at: number): boolean {
  const name = words[0]?.text ?? ''
  const word = words[at]
  if (at === 0 || !word || words[0]?.is !== 'literal') return false
  if (TEXT.has(name)) return true
  if (name === 'printf') return at > 1 && words[1]?.is === 'literal' && TEXT_FORMAT.test(words[1].text)
  if (name === 'test' || name === '[') return isTested(words, at)
  if (word.source === 'number') return NUMBERS.has(name) || READERS.has(name)
  if (word.is === 'pathname' || word.source === 'inside') return READERS.has(name) || isDashed(words, at)
  return word.source === 'pipe' && READERS.has(name)
}

/** Whether a word is but text to its program, and no name of a file. */
export const isText = (words: readonly ShellWord[], at: number): boolean =>
  isData(words, at) &&
  (words[at]?.source === 'pipe' || TEXT.has(words[0]?.text ?? '') || /^(printf|test|\[)$/.test(words[0]?.text ?? ''))

/** A word that `test` cannot take for one of its options. */
function isTested(words: readonly ShellWord[], at: number): boolean {
  const word = words[at]
  if (word?.source === 'number') return true
  const before = words[at - 1]?.text ?? ''
  const after = words[at + 1]?.text ?? ''
  return word?.splits !== true && (TESTS.test(before) || COMPARES.test(before) || COMPARES.test(after))
}

const isDashed = (words: readonly ShellWord[], at: number): boolean =>
  DASHED.has(words[0]?.text ?? '') && words.slice(0, at).some(({ is, text }) => is === 'literal' && text === '--')
