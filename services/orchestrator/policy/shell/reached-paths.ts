// The paths that a shell command is seen to reach. What it does beyond its words is not seen.
import { posix } from 'node:path'
import { absolute, type RequestPlace } from '../workplace.ts'
import type { Access, Reached } from '../desired-writes.ts'
import { baseName } from './nested-command.ts'
import { DEEPEST } from './command-patterns.ts'
import { nestedIn } from './nesting.ts'
import { readScript, type ShellScript, type SimpleCommand } from './script.ts'
import { literal, type ShellWord } from './shell-word.ts'
import { accessOf, readsOnly } from '../word-access.ts'
import { wordSet } from './word-list.ts'

/** Devices that keep nothing and tell nothing. */
const DEVICE = /^\/dev\/(null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/
/** Their words are text. */
const TEXT = wordSet('echo printf : true false test [ which type command expr kill basename dirname')
/** Their first operand is a script or an expression. */
const SCRIPT_FIRST = wordSet('grep egrep fgrep rg ag ack sed awk gawk mawk jq yq perl tr')
const COMPILERS = /^(gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|cmake|make)$/

/** Real paths that the command names, and what it does there; null when it cannot be read. */
export function pathsOf(
  source: string,
  place: RequestPlace,
  isOpen: (path: string) => boolean,
  depth = 0,
): Reached[] | null {
  const script = readScript(source, place)
  if (typeof script === 'string' || depth > DEEPEST) return null
  const walk = new Reach(place, isOpen)
  for (const command of script.commands) {
    walk.command(command)
    walk.found.push(...nestedPaths(command, walk, depth))
  }
  // Their values may be used by any command.
  const access = script.commands.every(readsOnly) ? 'read' : 'write'
  walk.words(looseWords(script), '', () => access)
  return walk.found
}

/** Variables that name where programs and libraries are, not what is read for its content. */
const INSTALLED = /(.PATH|_HOME|ROOT|^PATH|^SHELL|EDITOR|^CC|^CXX)$/

/** Values that a loop or a variable takes may be used anywhere. */
function looseWords({ loose, commands }: ShellScript): ShellWord[] {
  const assigned = commands.flatMap(({ assignments }) => assignments)
  return [
    ...loose,
    ...assigned.filter(({ name }) => name === 'CDPATH' || !INSTALLED.test(name)).map(({ value }) => value),
  ]
}

function nestedPaths(command: SimpleCommand, walk: Reach, depth: number): Reached[] {
  return nestedIn(command).nested.flatMap((each) => {
    if (each.kind === 'code' && !each.remote) return pathsOf(each.code, walk.place, walk.isOpen, depth + 1) ?? []
    if (each.kind !== 'words' || each.remote || depth > DEEPEST) return []
    const inner = { words: each.words, assignments: [], redirects: [], piped: false }
    const before = walk.found.length
    walk.command(inner)
    return [...walk.found.splice(before), ...nestedPaths(inner, walk, depth + 1)]
  })
}

/** The words of a command without those of the command that it runs, which is looked at by itself. */
function ownWords(command: SimpleCommand): ShellWord[] {
  const { words } = command
  const inner = nestedIn(command).nested.find(({ kind, at }) => kind !== 'opaque' && at > 0)
  if (!inner) return words
  if (inner.kind === 'code' && !inner.remote) return words.filter((_, index) => index !== inner.at)
  const tail = inner.kind !== 'words' || inner.words.length >= words.length - inner.at
  return tail ? words.slice(0, inner.at) : words
}

/** What follows `-e` is a script, or else the first word that is no option. */
function withoutScripts(words: readonly ShellWord[]): ShellWord[] {
  const marked = words.flatMap(({ text }, index) =>
    /^(-[a-zA-Z]*e|--expression|--regexp)$/.test(text) ? [index + 1] : [],
  )
  const scripts = marked.length > 0 ? marked : [words.findIndex((word) => !word.text.startsWith('-'))]
  return words.filter((_, index) => !scripts.includes(index))
}

const redirected = (operator: string): Pick<Reached, 'access' | 'isFile'> =>
  operator === '<' || operator === '<&' ? { access: 'read' } : { access: 'write', isFile: true }

class Reach {
  readonly found: Reached[] = []
  readonly place: RequestPlace
  readonly isOpen: (path: string) => boolean
  /** Where the command may stand by now. */
  #folders: string[]

  constructor(place: RequestPlace, isOpen: (path: string) => boolean) {
    this.place = place
    this.isOpen = isOpen
    this.#folders = [place.workingDir]
  }

  command(command: SimpleCommand): void {
    const { redirects } = command
    const words = ownWords(command)
    for (const { operator, target } of redirects) {
      const descriptor = /^[<>]&$/.test(operator) && /^(\d+-?|-)$/.test(target.text)
      if (!operator.startsWith('<<') && !descriptor) this.#path(target, redirected(operator))
    }
    const access = accessOf(command, words)
    const [program, ...rest] = words
    const name = baseName(program?.text ?? '')
    if (program?.text.includes('/')) this.#program(program)
    if (name === 'cd' || name === 'pushd' || name === 'chdir') return this.#enter(rest)
    if (TEXT.has(name)) {
      this.words(rest.filter((word) => word.is === 'pathname'))
      return
    }
    this.words(SCRIPT_FIRST.has(name) ? withoutScripts(rest) : rest, name, access)
  }

  words(words: readonly ShellWord[], name = '', access: (word: ShellWord) => Access = () => 'read'): void {
    for (const word of words) {
      const { text } = word
      const to = { access: access(word) }
      if (COMPILERS.test(name) && /^-(I|L|isystem|D|W|O)/.test(text)) continue
      const [, glued] =
        /^--?[\w-]+=(.*)$/.exec(text) ??
        /^-[A-Za-z]((?:\/|~\/|\.\.\/).*)$/.exec(text) ??
        /^(?:if|of|file)=(.*)$/.exec(text) ??
        /^@(.+)$/.exec(text) ??
        []
      if (glued !== undefined) this.#path({ ...word, text: glued }, to)
      else if (!text.startsWith('-') && !/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) this.#path(word, to)
      if (text.startsWith('file:///')) this.#path({ ...word, text: text.slice(7) }, to)
    }
  }

  /** A program outside that is run is not read: only one that a link or `..` hides is asked for. */
  #program({ text }: ShellWord): void {
    if (!text.startsWith('/') && text.split('/').includes('..')) this.#path(literal(text))
  }

  #enter(rest: readonly ShellWord[]): void {
    const target = rest.find(({ text }) => !/^-[LPe@]+$|^--$/.test(text))
    if (target === undefined) this.#path(literal(this.place.home))
    if (target?.is !== 'literal' || target.text === '-') return
    this.#path(target)
    const entered = this.#folders.map((folder) => absolute(target.text, { ...this.place, workingDir: folder }))
    // One that is not there is not entered, and the command goes on where it was.
    this.#folders = entered.every((folder) => this.place.lookups.isDirectory(folder))
      ? entered
      : [...new Set([...this.#folders, ...entered])].slice(0, 8)
  }

  /** Of a word that is not known, as far as its beginning says where it leads. */
  #path(word: ShellWord, to: Pick<Reached, 'access' | 'isFile'> = { access: 'read' }): void {
    let { text } = word
    const isPattern = word.is !== 'literal'
    if ((text === '' && !isPattern) || text.length > 4096 || DEVICE.test(text)) return
    if (isPattern) {
      const slash = text.lastIndexOf('/')
      if (slash < 0 && to.access === 'read') return
      text = text.slice(0, slash + 1) || './'
    }
    const how = isPattern && to.access !== 'read' ? { access: 'write' as const, isPattern } : to
    const isWritten = /^(\/|~\/|~$)/.test(text) || text.split('/').includes('..')
    const { lookups } = this.place
    for (const folder of this.#folders) {
      const real = lookups.realPaths(absolute(text, { ...this.place, workingDir: folder }))
      if (real) this.found.push(...real.map((path) => ({ path, ...how })))
      else if (isWritten || this.#hasLink(folder, text)) this.found.push({ path: posix.resolve('/', text), ...how })
    }
  }

  /** What cannot be told, and has no link, is not taken for a path. */
  #hasLink(folder: string, text: string): boolean {
    const names = text.split('/')
    return names.some((_, index) =>
      this.place.lookups.entryAt(posix.join(folder, ...names.slice(0, index + 1)))?.isSymbolicLink(),
    )
  }
}
