// What manifests lean on beside their own text: asked once per read and remembered, so that the next read can tell
// whether an answer has changed.
import { isDeepStrictEqual } from 'node:util'
import type { ReadText } from '../../schemas/kind.ts'
import type { ReadContext } from './desired-state.ts'
import { partsOf } from './graph.ts'
import { gitTop } from './folder/git-worktree.ts'
import { isInside, NOT_SENT, OUTSIDE, statOrNull, type TextFiles } from './text-files.ts'

/** `outside`: the spec of a resource that is not among the manifests. */
export type Question = 'directory' | 'text' | 'variable' | 'project' | 'exists' | 'outside'

/** What a manifest asked, and what it was told. */
export type Answered = { key: string } & (
  | { question: 'text'; answer: ReadText }
  | { question: 'directory'; answer: boolean }
  | { question: Exclude<Question, 'text' | 'directory'>; answer: unknown }
)

/** Files as a checkout has them that are not, or not yet, where its manifests are read as if they stood there. */
export interface Overlay {
  /** Undefined: as the disk has it. */
  text(path: string): ReadText | undefined
  isDirectory(path: string): boolean | undefined
  /** What `.` means in every manifest. Undefined: the working tree that holds the manifest. */
  project?(): string | undefined
}

export interface EnvironmentOptions {
  root: string
  /** What texts may be read from; default the root. Null: from nowhere, but as the overlay has them. */
  tree?: string | null
  home: string
  context: ReadContext
  texts: TextFiles
  overlay?: Overlay
  /** Called with every answer. */
  onAnswer?: (answered: Answered) => void
}

/** What is outside the manifests, as one read of them finds it. */
export class Environment {
  readonly root: string
  readonly home: string
  /** Canonical specs of this read, by `kind/name`. */
  readonly specs = new Map<string, unknown>()
  readonly #context: ReadContext
  readonly #texts: TextFiles
  readonly #tree: string | null
  readonly #overlay: Overlay | undefined
  readonly #onAnswer: EnvironmentOptions['onAnswer']
  readonly #answers = new Map<Question, Map<string, unknown>>()

  constructor(options: EnvironmentOptions) {
    this.root = options.root
    this.#tree = options.tree === undefined ? options.root : options.tree
    this.home = options.home
    this.#context = options.context
    this.#texts = options.texts
    this.#overlay = options.overlay
    this.#onAnswer = options.onAnswer
  }

  ask(question: Question, key: string): unknown {
    let answers = this.#answers.get(question)
    if (!answers) this.#answers.set(question, (answers = new Map()))
    if (answers.has(key)) return answers.get(key)
    const answer = this.#look(question, key)
    answers.set(key, answer)
    this.#onAnswer?.({ question, key, answer } as Answered)
    return answer
  }

  #look(question: Question, key: string): unknown {
    switch (question) {
      case 'directory':
        return this.#overlay?.isDirectory(key) ?? statOrNull(key)?.isDirectory() ?? false
      case 'text':
        return this.#overlay?.text(key) ?? this.#text(key)
      case 'variable':
        return this.#context.variable(key)
      case 'project':
        return this.#overlay?.project?.() ?? gitTop(key) ?? this.root
      case 'exists':
        return this.#context.exists(...partsOf(key))
      case 'outside':
        return this.#context.resolve?.(...partsOf(key))
    }
  }

  #text(path: string): ReadText {
    if (this.#tree !== null) return this.#texts.read(path, this.#tree)
    return isInside(path, this.root) ? NOT_SENT : OUTSIDE
  }

  /** What was asked of a sort. */
  keysOf(question: Question): string[] {
    return [...(this.#answers.get(question)?.keys() ?? [])]
  }

  holds({ question, key, answer }: Answered): boolean {
    return same(question, this.ask(question, key), answer)
  }

  /** True when every question that was asked of an earlier environment has the same answer in this one. */
  agreesWith(earlier: Environment): boolean {
    for (const [question, answers] of earlier.#answers) {
      for (const [key, answer] of answers) if (!same(question, this.ask(question, key), answer)) return false
    }
    return true
  }

  /** Files beside the manifests that this read has looked into. */
  texts(): { path: string; text: string; changedAt: number }[] {
    return [...(this.#answers.get('text') ?? [])].flatMap(([path, read]) =>
      'text' in (read as ReadText)
        ? [{ path, text: (read as { text: string }).text, changedAt: this.#texts.changedAt(path) }]
        : [],
    )
  }
}

function same(question: Question, a: unknown, b: unknown): boolean {
  return a === b || ((question === 'outside' || question === 'text') && isDeepStrictEqual(a, b))
}
