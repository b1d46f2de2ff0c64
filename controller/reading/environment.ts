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
  /** Canonical specs of this read, by `kind/name`. */
  readonly specs = new Map<string, unknown>()
  readonly #options: EnvironmentOptions
  readonly #answers = new Map<Question, Map<string, unknown>>()

  constructor(options: EnvironmentOptions) {
    this.#options = options
  }

  get root(): string {
    return this.#options.root
  }

  get home(): string {
    return this.#options.home
  }

  ask(question: Question, key: string): unknown {
    let answers = this.#answers.get(question)
    if (!answers) this.#answers.set(question, (answers = new Map()))
    if (answers.has(key)) return answers.get(key)
    const answer = this.#look(question, key)
    answers.set(key, answer)
    this.#options.onAnswer?.({ question, key, answer } as Answered)
    return answer
  }

  #look(question: Question, key: string): unknown {
    const { overlay, context, root } = this.#options
    switch (question) {
      case 'directory':
        return overlay?.isDirectory(key) ?? statOrNull(key)?.isDirectory() ?? false
      case 'text':
        return overlay?.text(key) ?? this.#text(key)
      case 'variable':
        return context.variable(key)
      case 'project':
        return overlay?.project?.() ?? gitTop(key) ?? root
      case 'exists':
        return context.exists(...partsOf(key))
      case 'outside':
        return context.resolve?.(...partsOf(key))
    }
  }

  #text(path: string): ReadText {
    const { root, tree = root, texts } = this.#options
    if (tree !== null) return texts.read(path, tree)
    return isInside(path, root) ? NOT_SENT : OUTSIDE
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
        ? [{ path, text: (read as { text: string }).text, changedAt: this.#options.texts.changedAt(path) }]
        : [],
    )
  }
}

function same(question: Question, a: unknown, b: unknown): boolean {
  return a === b || ((question === 'outside' || question === 'text') && isDeepStrictEqual(a, b))
}
