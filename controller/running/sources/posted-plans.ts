// Keeps manifests for a later apply: plans contain no secrets.
import type { Plan, PlanInput } from '../../../schemas/plan.ts'

/** Limits; the oldest plans are dropped first. */
const MOST_PLANS = 50
const MOST_CHARACTERS = 16 * 1024 * 1024

export class PostedPlans {
  readonly #kept = new Map<string, { input: PlanInput; size: number }>()
  #size = 0

  keep({ id }: Plan, input: PlanInput): void {
    const size = (input.manifests ?? []).reduce((sum, { path, content }) => sum + path.length + content.length, 0)
    this.#kept.set(id, { input, size })
    this.#size += size
    for (const [oldest, kept] of this.#kept) {
      if (this.#kept.size <= MOST_PLANS && this.#size <= MOST_CHARACTERS) return
      this.#kept.delete(oldest)
      this.#size -= kept.size
    }
  }

  /** Undefined if dropped. */
  inputOf(plan: Pick<Plan, 'id'>): PlanInput | undefined {
    return this.#kept.get(plan.id)?.input
  }
}
