import { watch, type FSWatcher } from 'node:fs'
import type { Clock, Timer } from '../../../platform/core/clock.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import { isDocumentId } from './folder.ts'

/** Editors write a file several times. */
const REST_MS = 200

export class FolderWatch {
  readonly #world: { clock: Clock; log: Log }
  readonly #woken: () => void
  readonly #touched = new Set<string>()
  readonly #watchers: FSWatcher[] = []
  #timer: Timer | null = null

  /** Calls `woken` once per burst of changes. */
  constructor(world: { clock: Clock; log: Log }, woken: () => void) {
    this.#world = world
    this.#woken = woken
  }

  /** If the system has no free watcher, periodic scans find the changes. */
  add(folder: string): void {
    const failed = (error: Error) =>
      this.#world.log.warn({ error: error.message }, 'failed to watch the document folder')
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

  take(): string[] {
    const touched = [...this.#touched]
    this.#touched.clear()
    return touched
  }

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
