// Matching items that were not seen before become tasks, oldest first.
import { isDeepStrictEqual } from 'node:util'
import { ForgeFault, type ForgeList, type ForgePage, MOST_PAGES } from '../../../platform/forge/forge.ts'
import type { ForgeItem } from '../../../schemas/forge/items.ts'
import type { ValueCheck } from '../../../schemas/validation/fields.ts'
import { Alarm } from './alarm.ts'
import type { PolledWorld, RunningTrigger, TriggeredWorkflow, TriggerWorld } from './triggers/contract.ts'
import type { TriggeredTask } from '../record/triggered-task.ts'

export interface ForgeSource<Item extends ForgeItem> {
  kind: ForgeList['kind']
  check: ValueCheck
  matches(item: Item, labels: readonly string[]): boolean
  metadata(item: Item): Record<string, string>
}

/** A page whose items are all stored. */
interface PageSeen {
  url: string
  etag: string | null
  next: string | null
  /** Numbers of the matching items; only with `again`. */
  numbers?: number[]
}

type ForgeWorld = PolledWorld & Pick<TriggerWorld, 'forge' | 'seen'>

export class ForgePoll<Item extends ForgeItem> implements RunningTrigger {
  readonly #world: ForgeWorld
  readonly #source: ForgeSource<Item>
  readonly #list: ForgeList
  readonly #everyMs: number
  /** Accepts an item again after it left the list. */
  readonly #again: boolean
  /** Keys of seen items that the last complete poll did not list. */
  #unlisted: ReadonlySet<string> = new Set()
  readonly #alarm: Alarm
  readonly #stopped = new AbortController()

  constructor(world: ForgeWorld, { trigger, pollIntervalSecs }: TriggeredWorkflow, source: ForgeSource<Item>) {
    this.#world = world
    this.#source = source
    const { owner, repo, state, labels } = trigger as unknown as Omit<ForgeList, 'kind'>
    this.#list = { kind: source.kind, owner, repo, state, labels }
    this.#again = trigger.again === true
    this.#everyMs = pollIntervalSecs * 1000
    this.#alarm = new Alarm(world, () => this.#poll())
  }

  async start(): Promise<void> {
    this.#alarm.set(this.#world.clock.now())
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#alarm.stop()
  }

  next(): number | null {
    return this.#alarm.due
  }

  /** Retries after a forge error at the next poll, after a failed write sooner. */
  async #poll(): Promise<void> {
    const { clock, forge, report } = this.#world
    try {
      await this.#readPages()
      report(null)
    } catch (error) {
      if (this.#stopped.signal.aborted) return
      if (!(error instanceof ForgeFault)) throw error
      report(error)
    }
    this.#alarm.set(Math.max(clock.now() + this.#everyMs, forge.freeAt))
  }

  /** Reads pages by ETag. An item that moves between pages changes one already read, which the next poll detects. */
  async #readPages(): Promise<void> {
    const before = await this.#pages()
    const pages: PageSeen[] = []
    let url: string | null = this.#world.forge.firstPage(this.#list)
    while (url !== null) {
      if (pages.length === MOST_PAGES)
        throw new ForgeFault(
          'forge-unsupported',
          `${this.#name} has more than ${MOST_PAGES} pages: narrow it by labels or state`,
        )
      const known = before.find((page) => page.url === url) ?? null
      const page = await this.#world.forge.page(url, this.#etagOf(known), this.#stopped.signal)
      const tasks = page ? this.#tasks(page.items) : []
      const seen: PageSeen = page || !known ? this.#seen(url, page, tasks) : known
      pages.push(seen)
      if (page && (tasks.length > 0 || !isDeepStrictEqual(seen, known)))
        await this.#world.accept(tasks, { cursor: JSON.stringify([...pages, ...without(before, pages)]) })
      url = seen.next
    }
    if (without(before, pages).length > 0) await this.#world.accept([], { cursor: JSON.stringify(pages) })
    if (this.#again) await this.#forgetUnlisted(pages)
  }

  #etagOf(known: PageSeen | null): string | null {
    // A page stored without `again` has no numbers.
    return this.#again && known?.numbers === undefined ? null : (known?.etag ?? null)
  }

  #seen(url: string, page: ForgePage | null, tasks: readonly TriggeredTask[]): PageSeen {
    const seen = { url, etag: page?.etag ?? null, next: page?.next ?? null }
    return this.#again ? { ...seen, numbers: tasks.map(({ sourceId }) => Number(sourceId)) } : seen
  }

  /**
   * Forgets items that left a list that was read in full. In a list of several pages, an item can move to a page that
   * was read before, so it must be missing twice in a row.
   */
  async #forgetUnlisted(pages: readonly PageSeen[]): Promise<void> {
    const listed = new Set(pages.flatMap(({ numbers = [] }) => numbers.map((number) => this.#keyOf({ number }))))
    const prefix = this.#keyOf({ number: '' })
    const seen = await this.#world.seen()
    const unlisted = seen.filter((key) => key.startsWith(prefix) && !listed.has(key))
    const left = pages.length === 1 ? unlisted : unlisted.filter((key) => this.#unlisted.has(key))
    if (left.length > 0) await this.#world.accept([], { forget: left })
    this.#unlisted = new Set(unlisted)
  }

  async #pages(): Promise<PageSeen[]> {
    const cursor = await this.#world.cursor()
    return cursor === null ? [] : (JSON.parse(cursor) as PageSeen[])
  }

  #tasks(items: unknown): TriggeredTask[] {
    const errors = this.#source.check(items)
    if (errors.length > 0) {
      const [{ path, message }] = errors as [(typeof errors)[number]]
      throw new ForgeFault(
        'forge-unreadable',
        `${this.#name} has an unexpected format: ${path} ${message}; check SVC_FORGE_API_URL`,
      )
    }
    const { matches, metadata } = this.#source
    return (items as Item[])
      .filter((item) => matches(item, this.#list.labels))
      .map((item) => ({ ...taskOf(item), metadata: metadata(item), seenAs: this.#keyOf(item) }))
  }

  get #name(): string {
    const { kind, owner, repo } = this.#list
    return `the list of ${kind} of ${owner}/${repo}`
  }

  /** Forges ignore case in names. */
  #keyOf({ number }: { number: number | '' }): string {
    return `${this.#list.owner}/${this.#list.repo}`.toLowerCase() + `#${number}`
  }
}

function without(pages: readonly PageSeen[], others: readonly PageSeen[]): PageSeen[] {
  return pages.filter(({ url }) => others.every((other) => other.url !== url))
}

function taskOf({ number, title, body, html_url, labels, assignee }: ForgeItem): TriggeredTask {
  return {
    sourceId: String(number),
    title,
    body: body ?? '',
    url: html_url,
    labels: labelsOf({ labels }),
    assignee: assignee?.login ?? '',
  }
}

export function labelsOf({ labels = [] }: Pick<ForgeItem, 'labels'>): string[] {
  return labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))).filter(Boolean)
}
