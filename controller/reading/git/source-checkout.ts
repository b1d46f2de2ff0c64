// Files of a git source for its agents. They move to another commit only while they are unchanged and not in use.
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import type { Timer } from '../../../platform/core/clock.ts'
import {
  adoptFormerFolder,
  changedIn,
  checkedOut,
  checkOut,
  type CheckoutOptions,
} from '../../../platform/git/checkout.ts'
import type { Mirror } from '../../../platform/git/mirror.ts'
import { indexIn } from '../../../platform/git/source-folders.ts'
import type { SourceCondition } from '../../../schemas/source.ts'
import type { GitOptions } from './git-options.ts'

/** Between attempts while the files are in use or changed. */
const RETRY_MS = 10_000
const SHOWN_FILES = 10

export class SourceCheckout {
  readonly #options: GitOptions
  readonly #files: CheckoutOptions
  readonly #moves = new SerialQueue()
  #timer: Timer | null = null
  #isStopped = false
  #trouble: string | null = null
  #dirty: SourceCondition | null = null
  /** Users that are logged already. */
  #shownUsers = ''

  constructor(options: GitOptions, mirror: Mirror) {
    this.#options = options
    this.#files = { mirror, folder: options.checkout, index: indexIn(options.folder) }
  }

  /** Moves the files now if possible, else as soon as they are unchanged and not in use. */
  follow(commit: string): Promise<void> {
    return this.#moves.run(async () => {
      this.#timer?.cancel()
      const why = await this.#follow(commit).catch((error: Error) => error.message)
      this.#trouble = why && `${this.#files.folder} is not at commit ${commit}: ${why}`
    })
  }

  /** Waits for a move that has begun. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.cancel()
    await this.#moves.drained()
  }

  /** Why git cannot move the files; null if it can. */
  trouble(): string | null {
    return this.#trouble
  }

  condition(): SourceCondition | null {
    return this.#dirty
  }

  /** Returns why git cannot move the files, or null. */
  async #follow(commit: string): Promise<string | null> {
    await adoptFormerFolder(this.#files)
    const held = await checkedOut(this.#files)
    if (held !== null && held !== commit && !(await this.#isFree(held, commit))) {
      this.#retry(commit)
      return null
    }
    this.#dirty = null
    this.#shownUsers = ''
    return checkOut(this.#files, commit)
  }

  #retry(commit: string): void {
    if (!this.#isStopped) this.#timer = this.#options.clock.after(RETRY_MS, () => void this.follow(commit))
  }

  async #isFree(held: string, commit: string): Promise<boolean> {
    const { log } = this.#options
    const { folder } = this.#files
    if (await this.#isUsed(commit)) return false
    const changed = await changedIn(this.#files)
    if (changed === null) throw new Error(`git cannot list the changed files of ${folder}`)
    const before = this.#dirty
    this.#dirty = changed.length === 0 ? null : dirtyCondition(folder, held, changed)
    if (this.#dirty && this.#dirty.message !== before?.message)
      log.warn({ checkout: folder, commit, files: changed.slice(0, SHOWN_FILES) }, 'checkout has local changes')
    if (this.#dirty) return false
    // Listing the files took time.
    return !(await this.#isUsed(commit))
  }

  /** Also if it cannot be found out. */
  async #isUsed(commit: string): Promise<boolean> {
    const { log, busyIn } = this.#options
    const { folder } = this.#files
    const users = await busyIn(folder).catch((error: Error) => [error.message])
    const shown = users.join(', ')
    if (users.length > 0 && shown !== this.#shownUsers)
      log.info({ checkout: folder, commit, users: shown }, 'checkout moves when its agents are idle')
    this.#shownUsers = shown
    return users.length > 0
  }
}

function dirtyCondition(folder: string, held: string, changed: readonly string[]): SourceCondition {
  const more = changed.length > SHOWN_FILES ? ` and ${changed.length - SHOWN_FILES} more` : ''
  const files = changed.slice(0, SHOWN_FILES).map((file) => JSON.stringify(file))
  return {
    type: 'CheckoutDirty',
    status: 'True',
    reason: 'LocalChanges',
    message: `${folder} stays at commit ${held}, because it has changes that are in no commit: ${files.join(', ')}${more}; commit them elsewhere and undo them here, or move the folder away`,
  }
}
