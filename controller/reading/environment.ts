// External inputs of manifests, read once per pass and recorded.
import { isDeepStrictEqual } from 'node:util'
import type { ManifestContext, PathFault, ReadText } from '../../schemas/kind.ts'
import type { SandboxSpec } from '../../schemas/sandbox/sandbox.ts'
import type { DesiredResource, ReadContext } from './desired-state.ts'
import { partsOf } from './graph.ts'
import { gitTop } from './folder/git-worktree.ts'
import { isInside, NOT_SENT, OUTSIDE, statOrNull, type TextFiles } from './text-files.ts'

/** `outside`: the spec of a resource that these manifests do not declare. */
export type Question = 'directory' | 'path' | 'worktree' | 'text' | 'variable' | 'project' | 'exists' | 'outside'

export type DirectoryFault = ReturnType<ManifestContext['directoryFault']>

export type WorktreeBase = ReturnType<ManifestContext['worktreeBase']>

export type Answered = { key: string } & (
  | { question: 'text'; answer: ReadText }
  | { question: 'directory'; answer: DirectoryFault }
  | { question: Exclude<Question, 'text' | 'directory'>; answer: unknown }
)

/** Replaces files on disk, for example with those of a commit or a request. */
export interface Overlay {
  text(path: string): ReadText | undefined
  isDirectory(path: string): boolean | undefined
  /** Undefined: as the disk has it. */
  worktreeBase?(path: string): WorktreeBase | undefined
  /** Meaning of `.` in every manifest. Undefined: the working tree that contains the manifest. */
  project?(): string | undefined
}

export interface EnvironmentOptions {
  root: string
  /** Folder of readable texts; default the root. Null: only the overlay. */
  tree?: string | null
  home: string
  context: ReadContext
  texts: TextFiles
  overlay?: Overlay
  onAnswer?: (answered: Answered) => void
}

export class Environment {
  /** Valid resources of the manifests, by `kind/name`. */
  readonly resources = new Map<string, DesiredResource>()
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

  get defaultSandbox(): SandboxSpec {
    const { defaultSandbox = 'auto' } = this.#options.context
    return defaultSandbox
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
        return this.#directoryFault(key)
      case 'path':
        return this.#pathFault(key)
      case 'worktree':
        return overlay?.worktreeBase?.(key) ?? (gitTop(key) === null ? null : 'working-tree')
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

  #directoryFault(path: string): DirectoryFault {
    const { overlay, context } = this.#options
    if (!(overlay?.isDirectory(path) ?? statOrNull(path)?.isDirectory() ?? false)) return 'missing'
    return context.closing?.(path) ? 'closed' : null
  }

  #pathFault(path: string): PathFault {
    const { overlay, context } = this.#options
    if (overlay?.isDirectory(path) !== true && statOrNull(path) === null) return 'missing'
    const closed = context.closing?.(path) ?? null
    return closed === null ? null : { closed }
  }

  #text(path: string): ReadText {
    const { root, tree = root, texts } = this.#options
    if (tree !== null) return texts.read(path, tree)
    return isInside(path, root) ? NOT_SENT : OUTSIDE
  }

  keysOf(question: Question): string[] {
    return [...(this.#answers.get(question)?.keys() ?? [])]
  }

  hasSameAnswer({ question, key, answer }: Answered): boolean {
    return same(question, this.ask(question, key), answer)
  }

  agreesWith(earlier: Environment): boolean {
    for (const [question, answers] of earlier.#answers) {
      for (const [key, answer] of answers) if (!same(question, this.ask(question, key), answer)) return false
    }
    return true
  }

  texts(): { path: string; text: string; changedAt: number }[] {
    return [...(this.#answers.get('text') ?? [])].flatMap(([path, read]) =>
      'text' in (read as ReadText)
        ? [{ path, text: (read as { text: string }).text, changedAt: this.#options.texts.changedAt(path) }]
        : [],
    )
  }
}

function same(question: Question, a: unknown, b: unknown): boolean {
  return a === b || ((question === 'outside' || question === 'text' || question === 'path') && isDeepStrictEqual(a, b))
}
