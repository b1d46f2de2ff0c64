// Hears of files that somebody touches, and keeps their ids until they are looked at.
import { watch, type FSWatcher } from 'node:fs'
import type { Clock, Timer } from '../../../platform/core/clock.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import { isDocumentId } from './folder.ts'

/** So long after the first touch all that were touched are looked at: an editor writes several times. */
const REST_MS = 200

export class FolderWatch {
  readonly #world: { clock: Clock; log: Log }
  readonly #woken: () => void
  readonly #touched = new Set<string>()
  readonly #watchers: FSWatcher[] = []
  #timer: Timer | null = null

  /** `woken` is called when something was touched, and once for whatever follows at once. */
  constructor(world: { clock: Clock; log: Log }, woken: () => void) {
    this.#world = world
    this.#woken = woken
  }

  /** Where the system has no watcher left, all of the folder is looked at every minute all the same. */
  add(folder: string): void {
    const failed = (error: Error) => this.#world.log.warn({ error: error.message }, 'the documents are not watched')
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        const [, id] = /^(.+)\.(?:md|json)$/.exec(name ?? '') ?? []
        if (id !== undefined && isDocumentId(id)) this.#touch(id)
      })
      this.#watchers.push(watcher.on('error', failed))
    } catch (error) {
      failed(error as Error)
    }
  }

  /** What was touched since it was last taken. */
  take(): string[] {
    const touched = [...this.#touched]
    this.#touched.clear()
    return touched
  }

  /** Those could not be looked at: the next look takes them again. */
  putBack(ids: readonly string[]): void {
    for (const id of ids) this.#touched.add(id)
  }

  stop(): void {
    this.#timer?.cancel()
    for (const watcher of this.#watchers) watcher.close()
  }

  #touch(id: string): void {
    this.#touched.add(id)
    this.#timer ??= this.#world.clock.after(REST_MS, () => {
      this.#timer = null
      this.#woken()
    })
  }
}
