// Signatures that the commits of a source need.
import { signatureFault } from '../../../platform/git/commit-signature.ts'
import type { Mirror } from '../../../platform/git/mirror.ts'
import { isCommit } from '../../../platform/git/refs.ts'
import type { ReadPlace } from '../desired-state.ts'
import { realOrNull } from '../text-files.ts'
import type { GitOptions } from './git-options.ts'

export class Signatures {
  readonly #options: Pick<GitOptions, 'place' | 'env'>
  readonly #mirror: Mirror
  readonly #signed = new Set<string>()

  constructor(options: Pick<GitOptions, 'place' | 'env'>, mirror: Mirror) {
    this.#options = options
    this.#mirror = mirror
  }

  /** Why the commit is rejected; null if it is accepted. */
  async refusal(commit: string): Promise<string | null> {
    return this.#options.place.requireSigned === 'widening' ? null : this.#fault(commit)
  }

  /** Why the commit must not widen rights; null if it may. */
  async unsigned(revision: string): Promise<string | null> {
    const isAsked = this.#options.place.requireSigned === 'widening' && isCommit(revision)
    return isAsked ? this.#fault(revision) : null
  }

  /** The files of allowed signers. */
  readPlaces(): ReadPlace[] {
    const { allowedSigners, keyring } = this.#options.place.verify ?? {}
    return [allowedSigners, keyring].flatMap((file) => {
      const real = file === undefined ? null : realOrNull(file)
      return real === null ? [] : [{ root: real }]
    })
  }

  async #fault(commit: string): Promise<string | null> {
    const { place, env } = this.#options
    if (!place.verify || this.#signed.has(commit)) return null
    const fault = await signatureFault(this.#mirror, commit, place.verify, env)
    if (fault === null) this.#signed.add(commit)
    return fault
  }
}
