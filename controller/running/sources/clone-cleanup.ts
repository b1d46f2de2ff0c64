// Removes unused clones of former sources.
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { adoptFormerFolder, changedIn } from '../../../platform/git/checkout.ts'
import { Mirror } from '../../../platform/git/mirror.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import type { ControllerWorld } from '../../parts.ts'
import { checkoutFolder, indexIn, mirrorIn } from '../../../platform/git/source-folders.ts'
import type { Sources } from './sources.ts'
import type { LiveSystem } from '../../watching/live-system.ts'

interface Parts {
  config: ControllerWorld['config']
  log: Log
  sources: Sources
  live: LiveSystem
}

export class Clones {
  readonly #parts: Parts
  #sweeping: Promise<void> = Promise.resolve()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** One sweep at a time. Never throws. */
  sweep(): Promise<void> {
    const { log } = this.#parts
    return (this.#sweeping = this.#sweeping
      .then(() => this.#sweep())
      .catch((error: Error) => log.warn({ error: error.message }, 'failed to remove clones of former sources')))
  }

  waitUntilIdle(): Promise<void> {
    return this.#sweeping
  }

  async #sweep(): Promise<void> {
    const { config, live } = this.#parts
    const top = join(config.dataDir, 'sources')
    for (const entry of existsSync(top) ? await readdir(top, { withFileTypes: true }) : [])
      if (entry.isDirectory() && !live.signal.aborted && !this.#isWanted(entry.name))
        await this.#remove(entry.name, join(top, entry.name))
  }

  /** An orphaned source may be configured again. */
  #isWanted(name: string): boolean {
    const source = this.#parts.sources.find(name)
    return source?.reader?.remote !== undefined || source?.orphaned === true
  }

  async #remove(source: string, folder: string): Promise<void> {
    const { config, log } = this.#parts
    if (!existsSync(mirrorIn(folder))) return
    const project = checkoutFolder(config.dataDir, source)
    await adoptFormerFolder({ folder: project, index: indexIn(folder) })
    if (existsSync(project)) {
      if (await this.#isNamed(project)) {
        log.info({ source, project }, 'kept the clone of a former source: a live resource may use it')
        return
      }
      const mirror = new Mirror({ ...config, folder: mirrorIn(folder), url: 'file:///', credentials: {} })
      const changed = await changedIn({ mirror, folder: project, index: indexIn(folder) })
      if (changed?.length !== 0) {
        await rm(folder, { recursive: true, force: true })
        log.warn(
          { source, project, changed: changed?.slice(0, 3) },
          'kept the files of a former source: they have local changes',
        )
        return
      }
    }
    for (const each of [project, folder]) await rm(each, { recursive: true, force: true })
    log.info({ source, folder }, 'removed the clone of a former source')
  }

  /** True if a live resource uses the folder, or a kind cannot be observed. */
  async #isNamed(folder: string): Promise<boolean> {
    const { reconcilers, lookup, signal } = this.#parts.live
    const written = JSON.stringify(folder).slice(1, -1)
    for (const reconciler of reconcilers) {
      const all = await reconciler.observeAll(lookup, signal).catch(() => null)
      if (all === null || all.some(({ spec }) => JSON.stringify(spec).includes(written))) return true
    }
    return false
  }
}
