// What a run has done and neither a digest nor the memory knows yet: a run that is cut short leaves it to the next one.
import * as Type from 'typebox'
import { write, type Knex } from '../../../platform/database/database.ts'
import type { World } from '../../../platform/service/world.ts'
import { table } from '../../../platform/store/table.ts'
import type { Act } from '../decision/contract.ts'
import { JOURNAL } from '../migrations.ts'

const JournalRow = Type.Object({
  repository_key: Type.String(),
  /** A line of a digest, the key of a report, or a record and the place that it is kept for. */
  kind: Type.Enum(['transition', 'report', 'record']),
  text: Type.String(),
  /** Milliseconds by the clock of the forge. */
  at: Type.Number(),
})
type Kind = Type.Static<typeof JournalRow>['kind']

/** What a failed act may concern later: the report of a key, or all messages about an item without a key. */
export const placeOf = ({ action, about, number, key }: Pick<Act, 'action' | 'about' | 'number' | 'key'>): string =>
  key ?? (number === null ? (about ?? action) : `#${number}`)

export class Journal {
  readonly #db: Knex
  readonly #key: string
  readonly #rows
  /** Of earlier runs and of this one. */
  readonly #transitions = new Set<string>()
  /** Of earlier runs. */
  readonly #reports = new Map<string, number>()
  /** By place. */
  readonly #records = new Map<string, string>()

  /** `key`: of the repository. */
  constructor(world: Pick<World, 'db' | 'vault'>, key: string) {
    this.#db = world.db
    this.#key = key
    this.#rows = table(world, JOURNAL, JournalRow, { what: 'entry', key: ['repository_key', 'kind', 'text'] })
  }

  async read(): Promise<void> {
    const order = [{ column: 'seq', order: 'asc' as const }]
    for (const { kind, text, at } of await this.#rows.list({ where: { repository_key: this.#key }, order }))
      if (kind === 'transition') this.#transitions.add(text)
      else if (kind === 'report') this.#reports.set(text, at)
      else this.#readRecord(text)
  }

  #readRecord(text: string): void {
    const end = text.indexOf(' ')
    if (end > 0) this.#records.set(text.slice(end + 1), text.slice(0, end))
  }

  /** Record that the first run began from since which an act of this place fails; null if none does. */
  recordOf(place: string): string | null {
    return this.#records.get(place) ?? null
  }

  /** Keeps the first record of a place: a repeat of its messages must have the same ids. */
  async keepRecord(place: string, id: string): Promise<void> {
    if (this.#records.has(place)) return
    this.#records.set(place, id)
    await this.#put('record', [`${id} ${place}`], 0)
  }

  async clearRecords(isOver: (place: string) => boolean): Promise<void> {
    const over = [...this.#records].filter(([place]) => isOver(place))
    for (const [place] of over) this.#records.delete(place)
    if (over.length > 0)
      await this.#delete(
        'record',
        over.map(([place, id]) => `${id} ${place}`),
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
  async report(key: string, at: number): Promise<void> {
    await this.#put('report', [key], at)
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
    await write(this.#db, (transaction) => {
      const rows = transaction(JOURNAL).where({ repository_key: this.#key, kind })
      return (texts === undefined ? rows : rows.whereIn('text', [...texts])).delete()
    })
  }
}
