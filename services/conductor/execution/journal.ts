// What a run has done and neither a digest nor the memory knows yet: a run that is interrupted leaves it to the next one.
import * as Type from 'typebox'
import type { World } from '../../../platform/service/world.ts'
import { table } from '../../../platform/store/table.ts'
import type { Act } from '../decision/contract.ts'
import { reportKey } from '../decision/reports.ts'
import { JOURNAL } from '../migrations.ts'

const JournalRow = Type.Object({
  repository_key: Type.String(),
  /** A line of a digest, the key of a report, or a namespace and the topic that it is kept for. */
  kind: Type.Enum(['transition', 'report', 'record']),
  text: Type.String(),
  /** Milliseconds by the clock of the forge. */
  at: Type.Number(),
})
type Kind = Type.Static<typeof JournalRow>['kind']

/** Keys of the reports that a post makes. */
export function keysOf({ key, about, items = [] }: Act): string[] {
  if (key !== undefined) return [key]
  return about === 'stale' ? items.map((number) => reportKey(about, number)) : []
}

/** What later acts may repeat: the report of a key, or all messages about an item without a key. */
export const topicOf = ({ action, about, number, key }: Pick<Act, 'action' | 'about' | 'number' | 'key'>): string =>
  key ?? (number === null ? (about ?? action) : `#${number}`)

export class Journal {
  readonly #key: string
  readonly #rows
  /** Of earlier runs and of this one. */
  readonly #transitions = new Set<string>()
  /** Of earlier runs. */
  readonly #reports = new Map<string, number>()
  /** By topic. */
  readonly #namespaces = new Map<string, string>()

  /** `key`: of the repository. */
  constructor(world: Pick<World, 'db' | 'vault'>, key: string) {
    this.#key = key
    this.#rows = table(world, JOURNAL, JournalRow, { what: 'entry', key: ['repository_key', 'kind', 'text'] })
  }

  async read(): Promise<void> {
    const order = [{ column: 'seq', order: 'asc' as const }]
    for (const { kind, text, at } of await this.#rows.list({ where: { repository_key: this.#key }, order }))
      if (kind === 'transition') this.#transitions.add(text)
      else if (kind === 'report') this.#reports.set(text, at)
      else this.#readNamespace(text)
  }

  #readNamespace(text: string): void {
    const end = text.indexOf(' ')
    if (end > 0) this.#namespaces.set(text.slice(end + 1), text.slice(0, end))
  }

  /** Namespace of the first run since which an act of this topic fails; null if none does. See Rooms. */
  namespaceOf(topic: string): string | null {
    return this.#namespaces.get(topic) ?? null
  }

  /** Keeps the first namespace of a topic: a repeat of its messages must have the same ids. */
  async keepNamespace(topic: string, namespace: string): Promise<void> {
    if (this.#namespaces.has(topic)) return
    this.#namespaces.set(topic, namespace)
    await this.#put('record', [`${namespace} ${topic}`], 0)
  }

  async clearNamespaces(isOver: (topic: string) => boolean): Promise<void> {
    const over = [...this.#namespaces].filter(([topic]) => isOver(topic))
    for (const [topic] of over) this.#namespaces.delete(topic)
    if (over.length > 0)
      await this.#delete(
        'record',
        over.map(([topic, namespace]) => `${namespace} ${topic}`),
      )
  }

  get transitions(): string[] {
    return [...this.#transitions]
  }

  /** Times of reports by key. */
  get reports(): ReadonlyMap<string, number> {
    return this.#reports
  }

  /** Key of the digest of the current lines: a repeat after a crash has the same one, a digest of more has another. */
  get digestKey(): string {
    return ['digest', ...this.transitions.toSorted()].join('\n')
  }

  /** Before the effect, so that a crash after it loses no line. Returns the lines that are new. */
  async expect(lines: readonly string[]): Promise<string[]> {
    const added = lines.filter((line) => !this.#transitions.has(line))
    for (const line of added) this.#transitions.add(line)
    await this.#put('transition', added, 0)
    return added
  }

  /** Takes back lines of changes that were not made. */
  async retract(lines: readonly string[]): Promise<void> {
    for (const line of lines) this.#transitions.delete(line)
    if (lines.length > 0) await this.#delete('transition', lines)
  }

  /** `at`: time of the snapshot. */
  async keepReports(keys: readonly string[], at: number): Promise<void> {
    await this.#put('report', keys, at)
  }

  /** Ignores the lines that were read, without deleting them. */
  skipTransitions(): void {
    this.#transitions.clear()
  }

  /** Once a digest has reported them. */
  async clearTransitions(): Promise<void> {
    this.skipTransitions()
    await this.#delete('transition')
  }

  /** Once the memory has them. */
  async clearReports(): Promise<void> {
    await this.#delete('report')
  }

  async #put(kind: Kind, texts: readonly string[], at: number): Promise<void> {
    if (texts.length > 0) await this.#rows.put(texts.map((text) => ({ repository_key: this.#key, kind, text, at })))
  }

  async #delete(kind: Kind, texts?: readonly string[]): Promise<void> {
    await this.#rows.delete({ repository_key: this.#key, kind, ...(texts && { text: texts }) })
  }
}
