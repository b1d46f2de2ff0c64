// The paths that a shell command is seen to reach. What it does beyond its words is not seen.
import { posix } from 'node:path'
import type { Finding } from '../finding.ts'
import { absolute, type RequestPlace } from '../workplace.ts'
import type { Access, Reached } from '../desired-writes.ts'
import { unclear } from './findings.ts'
import { baseName } from './programs/nested-command.ts'
import { DEEPEST } from './command-patterns.ts'
import { nestedIn } from './programs/nesting.ts'
import { readScript } from './script.ts'
import { commandOf, type ShellScript, type SimpleCommand } from './simple-command.ts'
import { isDevice } from './opened-files.ts'
import { literal, type ShellWord } from './shell-word.ts'
import { accessOf, readsOnly } from '../word-access.ts'
import { wordSet } from './word-list.ts'

/** Their words are text. */
const TEXT = wordSet('echo printf : true false test [ which type command expr kill basename dirname')
/** Their first operand is a script or an expression. */
const SCRIPT_FIRST = wordSet('grep egrep fgrep rg ag ack sed awk gawk mawk jq yq perl tr')
const FILE_LIST = /^--(files0?-from|pathspec-from-file)\b/
const COMPILERS = /^(gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|cmake|make)$/

export interface CommandReach {
  /** Real paths that the command names, and what it does there. */
  readonly found: readonly Reached[]
  /** Other paths that it may reach. */
  readonly unclear: Finding | null
}

/** Null for a command that cannot be parsed, which may reach anything. */
export function reachedBy(source: string, place: RequestPlace): CommandReach | null {
  const script = readScript(source, place)
  return typeof script === 'string' ? null : reachOf(script, place, 0)
}

function reachOf(script: ShellScript, place: RequestPlace, depth: number): Reach {
  const walk = new Reach(place)
  if (script.lost !== null) walk.unclear ??= unclear('the directory it changes to cannot be determined', script.lost)
  for (const command of script.commands) {
    walk.command(command)
    reachNested(command, walk, depth)
  }
  walk.enter(null, script.source)
  // Their values may be used by any command.
  const access = script.commands.every(readsOnly) ? 'read' : 'write'
  walk.words(looseWords(script), '', () => access)
  return walk
}

/** Variables that name the folders of programs and libraries, not files that are read for their content. */
const INSTALLED = /(.PATH|_HOME|ROOT|^PATH|^SHELL|EDITOR|^CC|^CXX)$/

/** Values that a loop or a variable takes may be used anywhere. */
function looseWords({ loose, commands }: ShellScript): ShellWord[] {
  const assigned = commands.flatMap(({ assignments }) => assignments)
  return [
    ...loose,
    ...assigned
      .filter(({ name, value }) => name === 'CDPATH' || (!INSTALLED.test(name) && value.is !== 'unknown'))
      .map(({ value }) => value),
  ]
}

function reachNested(command: SimpleCommand, walk: Reach, depth: number): void {
  for (const each of nestedIn(command).nested) {
    if (each.kind === 'opaque' || each.remote) continue
    if (depth > DEEPEST) walk.unclear ??= unclear('it is nested too deeply', command.source)
    else if (each.kind === 'words') {
      const inner = commandOf(each.words, command)
      walk.command(inner)
      reachNested(inner, walk, depth + 1)
    } else
      for (const workingDir of command.folders ?? [walk.place.workingDir]) {
        const here = { ...walk.place, workingDir }
        const script = readScript(each.code, here)
        if (typeof script === 'string') walk.unclear ??= unclear(script, each.code)
        else walk.add(reachOf(script, here, depth + 1))
      }
  }
}

/** The words of a command without those of the command that it runs, which is judged separately. */
function ownWords(command: SimpleCommand): ShellWord[] {
  const { words } = command
  const inner = nestedIn(command).nested.find(({ kind, at }) => kind !== 'opaque' && at > 0)
  if (!inner) return words
  if (inner.kind === 'code' && !inner.remote) return words.filter((_, index) => index !== inner.at)
  const tail = inner.kind !== 'words' || inner.words.length >= words.length - inner.at
  return tail ? words.slice(0, inner.at) : words
}

const pathWords = (name: string, words: readonly ShellWord[]) =>
  SCRIPT_FIRST.has(name) ? withoutScripts(name, words) : words

/** A word behind `-e` is a script, or else the first one that is no option; with `-f` a file holds it. */
function withoutScripts(name: string, words: readonly ShellWord[]): readonly ShellWord[] {
  const marked = words.flatMap(({ text }, index) =>
    /^(-[a-zA-Z]*e|--expression|--regexp)$/.test(text) ? [index + 1] : [],
  )
  const isFile = words.some(({ text }) => /^(-[a-zA-Z]*f|--file|--from-file)$/.test(text))
  if (isFile || (name === 'perl' && marked.length === 0)) return words.filter((_, index) => !marked.includes(index))
  const scripts = marked.length > 0 ? marked : [words.findIndex((word) => !word.text.startsWith('-'))]
  return words.filter((_, index) => !scripts.includes(index))
}

/** `-v HOST:CONTAINER`: the part before the colon, and of `type=bind,source=HOST,…` the source. */
function hostPath(name: string, text: string): string {
  if (!/^(docker|podman|nerdctl)$/.test(name)) return text
  return /(?:^|,)(?:src|source)=([^,]*)/.exec(text)?.[1] ?? /^([^:]*\/[^:]*):\//.exec(text)?.[1] ?? text
}

const redirected = (operator: string): Pick<Reached, 'access' | 'isFile'> =>
  operator === '<' || operator === '<&' ? { access: 'read' } : { access: 'write', isFile: true }

class Reach implements CommandReach {
  readonly found: Reached[] = []
  unclear: Finding | null = null
  readonly place: RequestPlace
  /** Where the current command may run, and how it was written. */
  #folders: readonly string[]
  #source = ''

  constructor(place: RequestPlace) {
    this.place = place
    this.#folders = [place.workingDir]
  }

  add({ found, unclear }: Reach): void {
    this.found.push(...found)
    this.unclear ??= unclear
  }

  enter(folders: readonly string[] | null, source: string): void {
    this.#folders = folders ?? [this.place.workingDir]
    this.#source = source
  }

  command(command: SimpleCommand): void {
    const { folders, redirects, source } = command
    this.enter(folders, source)
    const words = ownWords(command)
    for (const { operator, target } of redirects) {
      const descriptor = /^[<>]&$/.test(operator) && /^(\d+-?|-)$/.test(target.text)
      if (!operator.startsWith('<<') && !descriptor) this.#path(target, redirected(operator))
    }
    const access = accessOf(command, words)
    const [program, ...rest] = words
    const name = baseName(program?.text ?? '')
    if (program?.text.includes('/')) this.#program(program)
    if (/^(cd|pushd|chdir)$/.test(name)) {
      const target = rest.find(({ text }) => !/^-[LPe@]+$|^--$/.test(text)) ?? literal(this.place.home)
      return target.text === '-' ? undefined : this.#path(target)
    }
    if (name === 'ln' && rest.length === 3 && /^-[sfn]*s[sfn]*$/.test(rest[0]?.text ?? ''))
      return this.#link(rest, access)
    this.words(TEXT.has(name) ? rest.filter((word) => word.is === 'pathname') : pathWords(name, rest), name, access)
  }

  words(words: readonly ShellWord[], name = '', access: (word: ShellWord) => Access = () => 'read'): void {
    for (const word of words) {
      const { text } = word
      const to = { access: access(word) }
      if (FILE_LIST.test(text)) this.#doubt('it reads the names of files from a file')
      if (COMPILERS.test(name) && /^-(I|L|isystem|D|W|O)/.test(text)) continue
      const [, glued] =
        /^--?[\w-]+=(.*)$/.exec(text) ??
        /^-[A-Za-z]((?:\/|~\/|\.\.\/).*)$/.exec(text) ??
        /^(?:if|of|file)=(.*)$/.exec(text) ??
        /^@(.+)$/.exec(text) ??
        []
      if (glued !== undefined) this.#path({ ...word, text: hostPath(name, glued) }, to)
      else if (!text.startsWith('-') && !/^[a-z][a-z0-9+.-]*:\/\//i.test(text))
        this.#path({ ...word, text: hostPath(name, text) }, to)
      if (text.startsWith('file:///')) this.#path({ ...word, text: text.slice(7) }, to)
    }
  }

  #doubt(reason: string): void {
    this.unclear ??= unclear(reason, this.#source)
  }

  /** The target of a symbolic link is relative to the folder of the link. */
  #link([, target, link]: readonly ShellWord[], access: (word: ShellWord) => Access): void {
    if (!target || link?.is !== 'literal')
      return this.words(
        [target, link].flatMap((word) => word ?? []),
        'ln',
        access,
      )
    this.#path(link, { access: access(link) })
    const folders = this.#folders
    this.#folders = folders.map((folder) => {
      const path = absolute(link.text, { ...this.place, workingDir: folder })
      return this.place.lookups.isDirectory(path) ? path : posix.dirname(path)
    })
    this.#path(target, { access: access(target) })
    this.#folders = folders
  }

  /** A program outside that is run is not read: only one that a link or `..` hides is asked for. */
  #program({ text }: ShellWord): void {
    if (!text.startsWith('/') && text.split('/').includes('..')) this.#path(literal(text))
  }

  /** Of a word that is not known, as far as its beginning says where it leads. */
  #path(word: ShellWord, to: Pick<Reached, 'access' | 'isFile'> = { access: 'read' }): void {
    let { text } = word
    if (word.is === 'unknown' && word.source === undefined && !/\s/.test(text))
      this.#doubt('the path it would access cannot be determined before it runs')
    const isPattern = word.is !== 'literal'
    if ((text === '' && !isPattern) || text.length > 4096 || isDevice(text)) return
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

  /** What is not certain, and has no link, is not taken for a path. */
  #hasLink(folder: string, text: string): boolean {
    const names = text.split('/')
    return names.some((_, index) =>
      this.place.lookups.entryAt(posix.join(folder, ...names.slice(0, index + 1)))?.isSymbolicLink(),
    )
  }
}
