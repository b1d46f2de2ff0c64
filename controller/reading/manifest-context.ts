import { dirname, resolve } from 'node:path'
import { builtInSpec, type ManifestContext, type PathFault, type ReadText } from '../../schemas/kind.ts'
import type { SandboxSpec } from '../../schemas/sandbox/sandbox.ts'
import type { KnownKinds } from './desired-state.ts'
import type { Answered, DirectoryFault, Environment, Question, WorktreeBase } from './environment.ts'

/** Records the questions of one manifest, which is evaluated again only if an answer changes. */
export class RecordingContext implements ManifestContext {
  readonly asked: Answered[] = []
  /** Specs of other manifests when they were requested. */
  readonly specs: { id: string; spec: unknown }[] = []
  /** Requested resources whose spec is unavailable. */
  readonly outOfReach: string[] = []
  readonly #environment: Environment
  readonly #file: string
  readonly #kinds: KnownKinds['kinds']

  constructor(environment: Environment, file: string, kinds: KnownKinds['kinds']) {
    this.#environment = environment
    this.#file = file
    this.#kinds = kinds
  }

  get directory(): string {
    return resolve(this.#environment.root, dirname(this.#file))
  }

  get project(): string {
    return this.#ask('project', this.directory) as string
  }

  get home(): string {
    return this.#environment.home
  }

  get defaultSandbox(): SandboxSpec {
    return this.#environment.defaultSandbox
  }

  directoryFault(path: string): DirectoryFault {
    return this.#ask('directory', path) as DirectoryFault
  }

  pathFault(path: string): PathFault {
    return this.#ask('path', path) as PathFault
  }

  worktreeBase(path: string): WorktreeBase {
    return this.#ask('worktree', path) as WorktreeBase
  }

  readText(path: string): ReadText {
    return this.#ask('text', path) as ReadText
  }

  variable(name: string): string | undefined {
    return this.#ask('variable', name) as string | undefined
  }

  resolve(kind: string, name: string): unknown {
    const found = this.lookUp(kind, name)
    if (found === undefined) this.outOfReach.push(`${kind}/${name}`)
    return found
  }

  lookUp(kind: string, name: string): unknown {
    const id = `${kind}/${name}`
    const spec = this.#environment.resources.get(id)?.spec
    this.specs.push({ id, spec })
    return spec ?? this.#ask('outside', id) ?? builtInSpec(this.#kinds, kind, name)
  }

  placeOf(kind: string, name: string, path: string): string | null {
    const found = this.#environment.resources.get(`${kind}/${name}`)
    return found ? `${found.file}:${found.position(path).line}` : null
  }

  #ask(question: Question, key: string): unknown {
    const answer = this.#environment.ask(question, key)
    this.asked.push({ question, key, answer } as Answered)
    return answer
  }

  get answers(): Answers {
    const { asked, specs } = this
    return { asked: asked.length === 0 ? NONE : asked, specs: specs.length === 0 ? NONE : specs }
  }
}

export interface Answers {
  asked: readonly Answered[]
  specs: readonly { id: string; spec: unknown }[]
}

/** Shared by thousands of manifests. */
const NONE: readonly never[] = []

export function isCurrentIn(environment: Environment, { asked, specs }: Answers): boolean {
  return (
    asked.every((answered) => environment.hasSameAnswer(answered)) &&
    specs.every(({ id, spec }) => environment.resources.get(id)?.spec === spec)
  )
}
