// What one manifest asks about the world beside it, kept so that it is evaluated again only when an answer has changed.
import { dirname, resolve } from 'node:path'
import type { ManifestContext, ReadText } from '../../schemas/kind.ts'
import type { Answered, Environment, Question } from './environment.ts'

/** The environment as one manifest sees it; keeps what it asked. */
export class RecordingContext implements ManifestContext {
  readonly asked: Answered[] = []
  /** What other manifests of this read were when they were asked for. */
  readonly specs: { id: string; spec: unknown }[] = []
  /** Resources it asked for that nobody can show. */
  readonly outOfReach: string[] = []
  readonly #environment: Environment
  readonly #file: string

  constructor(environment: Environment, file: string) {
    this.#environment = environment
    this.#file = file
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

  directoryExists(path: string): boolean {
    return this.#ask('directory', path) as boolean
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
    const spec = this.#environment.specs.get(id)
    this.specs.push({ id, spec })
    return spec === undefined ? this.#ask('outside', id) : spec
  }

  #ask(question: Question, key: string): unknown {
    const answer = this.#environment.ask(question, key)
    this.asked.push({ question, key, answer } as Answered)
    return answer
  }

  /** What it was told, for as long as it takes to ask again. */
  get answers(): Answers {
    const { asked, specs } = this
    return { asked: asked.length === 0 ? NONE : asked, specs: specs.length === 0 ? NONE : specs }
  }
}

/** What one manifest was told about the world beside it. */
export interface Answers {
  asked: readonly Answered[]
  /** What other manifests of the read were when they were asked for. */
  specs: readonly { id: string; spec: unknown }[]
}

/** One list in place of thousands of empty ones. */
const NONE: readonly never[] = []

/** True when asking the same again in `environment` would be answered the same. */
export function holdsIn(environment: Environment, { asked, specs }: Answers): boolean {
  return (
    asked.every((answered) => environment.holds(answered)) &&
    specs.every(({ id, spec }) => environment.specs.get(id) === spec)
  )
}
