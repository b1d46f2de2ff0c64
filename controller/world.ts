// What manifests lean on beside their own text: asked once per read and remembered, so that the next read can tell whether an answer has changed.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ManifestContext } from '../schemas/kind.ts'
import { decode } from './decode.ts'
import type { ReadContext } from './desired.ts'
import { kindNamed, type KindWords, type KnownKinds } from './document.ts'
import { MOST_BYTES } from './yaml.ts'

/** `outside`: the spec of a resource that is not among the manifests. */
type Question = 'directory' | 'text' | 'variable' | 'project' | 'exists' | 'outside'

interface Lean {
  question: Question
  key: string
  answer: unknown
}

/** The top of the git working tree that holds `folder`, or null. A worktree and a submodule have a file in place of `.git/`. */
export function gitTop(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return null
  }
}

/** Texts that manifests name, such as prompt templates; read again only when their file has changed. */
export class TextFiles {
  readonly #known = new Map<string, { stamp: string; text: string | null; changedAt: number }>()

  /** Null when it is no readable UTF-8 file of at most 1 MiB. */
  read(path: string): string | null {
    const stats = statOrNull(path)
    if (!stats?.isFile() || stats.size > MOST_BYTES) {
      this.#known.delete(path)
      return null
    }
    const stamp = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`
    const known = this.#known.get(path)
    if (known?.stamp === stamp) return known.text
    const text = readOrNull(path)
    this.#known.set(path, { stamp, text, changedAt: stats.ctimeMs })
    return text
  }

  /** When the file last changed, in milliseconds since 1970; 0 for one that was not read. */
  changedAt(path: string): number {
    return this.#known.get(path)?.changedAt ?? 0
  }
}

function statOrNull(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

function readOrNull(path: string): string | null {
  try {
    const decoded = decode(readFileSync(path))
    return 'text' in decoded ? decoded.text : null
  } catch {
    return null
  }
}

export class World {
  readonly root: string
  readonly home: string
  /** Canonical specs of this read, by `kind/name`. */
  readonly specs = new Map<string, unknown>()
  readonly #context: ReadContext
  readonly #texts: TextFiles
  readonly #answers = new Map<Question, Map<string, unknown>>()

  constructor(options: { root: string; home: string; context: ReadContext; texts: TextFiles }) {
    this.root = options.root
    this.home = options.home
    this.#context = options.context
    this.#texts = options.texts
  }

  ask(question: Question, key: string): unknown {
    let answers = this.#answers.get(question)
    if (!answers) this.#answers.set(question, (answers = new Map()))
    if (!answers.has(key)) answers.set(key, this.#look(question, key))
    return answers.get(key)
  }

  #look(question: Question, key: string): unknown {
    switch (question) {
      case 'directory':
        return statOrNull(key)?.isDirectory() ?? false
      case 'text':
        return this.#texts.read(key)
      case 'variable':
        return this.#context.variable(key)
      case 'project':
        return gitTop(key) ?? this.root
      case 'exists':
        return this.#context.exists(...parts(key))
      case 'outside':
        return this.#context.resolve?.(...parts(key))
    }
  }

  holds({ question, key, answer }: Lean): boolean {
    return same(question, this.ask(question, key), answer)
  }

  /** True when every question that was asked of an earlier world has the same answer in this one. */
  agreesWith(earlier: World): boolean {
    for (const [question, answers] of earlier.#answers) {
      for (const [key, answer] of answers) if (!same(question, this.ask(question, key), answer)) return false
    }
    return true
  }

  /** Files beside the manifests that this read has looked into. */
  texts(): { path: string; text: string; changedAt: number }[] {
    return [...(this.#answers.get('text') ?? [])].flatMap(([path, text]) =>
      typeof text === 'string' ? [{ path, text, changedAt: this.#texts.changedAt(path) }] : [],
    )
  }
}

function same(question: Question, a: unknown, b: unknown): boolean {
  return a === b || (question === 'outside' && isDeepStrictEqual(a, b))
}

function parts(id: string): [string, string] {
  const slash = id.indexOf('/')
  return [id.slice(0, slash), id.slice(slash + 1)]
}

/** The world as one manifest sees it; keeps what it asked. */
export class RecordingContext implements ManifestContext {
  readonly directory: string
  readonly leans: Lean[] = []
  /** What other manifests of this read were when they were asked for. */
  readonly specs: { id: string; spec: unknown }[] = []
  /** Resources it asked for that nobody can show. */
  readonly outOfReach: string[] = []
  readonly #world: World

  constructor(world: World, file: string) {
    this.#world = world
    this.directory = resolve(world.root, dirname(file))
  }

  get project(): string {
    return this.#ask('project', this.directory) as string
  }

  get home(): string {
    return this.#world.home
  }

  directoryExists(path: string): boolean {
    return this.#ask('directory', path) as boolean
  }

  readText(path: string): string | null {
    return this.#ask('text', path) as string | null
  }

  variable(name: string): string | undefined {
    return this.#ask('variable', name) as string | undefined
  }

  resolve(kind: string, name: string): unknown {
    const id = `${kind}/${name}`
    const spec = this.#world.specs.get(id)
    this.specs.push({ id, spec })
    if (spec !== undefined) return spec
    const outside = this.#ask('outside', id)
    if (outside === undefined) this.outOfReach.push(id)
    return outside
  }

  #ask(question: Question, key: string): unknown {
    const answer = this.#world.ask(question, key)
    this.leans.push({ question, key, answer })
    return answer
  }

  /** True when asking the same again in `world` would be answered the same. */
  holdsIn(world: World): boolean {
    return (
      this.leans.every((lean) => world.holds(lean)) && this.specs.every(({ id, spec }) => world.specs.get(id) === spec)
    )
  }
}

/** Which kind a file's folder stands for: the nearest one above it that is named as a kind, at most up to the top of the git working tree. */
export class Folders {
  readonly #root: string
  readonly #kinds: readonly KindWords[]
  readonly #top: string
  readonly #known = new Map<string, KindWords | null>()

  constructor(root: string, known: KnownKinds) {
    this.#root = root
    this.#kinds = [...known.kinds, ...known.kindsToCome]
    this.#top = gitTop(root) ?? dirname(root)
  }

  /** `file` is relative to the root. */
  kindOf(file: string): KindWords | null {
    const folder = dirname(file)
    let kind = this.#known.get(folder)
    if (kind === undefined) this.#known.set(folder, (kind = this.#look(resolve(this.#root, folder))))
    return kind
  }

  #look(folder: string): KindWords | null {
    for (let at = folder; at !== this.#top && dirname(at) !== at; at = dirname(at)) {
      const kind = kindNamed(basename(at), this.#kinds)
      if (kind) return kind
    }
    return null
  }
}
