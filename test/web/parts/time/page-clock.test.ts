import { describe, expect, test } from 'vitest'
import { PageClock } from '../../../../web/parts/time/page-clock.ts'

/** Timers that a test moves. */
class ManualTimers {
  time = 10_250
  #pending: { due: number; run: () => void }[] = []

  readonly now = () => this.time

  readonly after = (ms: number, run: () => void) => {
    const entry = { due: this.time + ms, run }
    this.#pending.push(entry)
    return () => void (this.#pending = this.#pending.filter((each) => each !== entry))
  }

  get pending(): number[] {
    return this.#pending.map(({ due }) => due)
  }

  advance(ms: number): void {
    const end = this.time + ms
    for (;;) {
      const [next] = this.#pending.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)
      if (!next) break
      this.#pending = this.#pending.filter((each) => each !== next)
      this.time = next.due
      next.run()
    }
    this.time = end
  }
}

function started() {
  const timers = new ManualTimers()
  const clock = new PageClock(timers)
  const seen: number[] = []
  const end = clock.subscribe(() => void seen.push(clock.now()))
  return { timers, clock, seen, end }
}

describe('the page clock', () => {
  test('ticks at the start of every second with one timer', () => {
    const { timers, clock, seen } = started()
    clock.subscribe(() => undefined)
    expect(timers.pending).toEqual([11_000])
    timers.advance(2000)
    expect(seen).toEqual([11_000, 12_000])
  })

  test('has no timer without listeners', () => {
    const { timers, end } = started()
    end()
    expect(timers.pending).toEqual([])
  })

  test('keeps its time between a stop and a resume', () => {
    const { timers, clock, seen } = started()
    clock.stop()
    timers.advance(60_000)
    expect(clock.now()).toBe(10_250)
    expect(timers.pending).toEqual([])
    clock.resume()
    expect(seen).toEqual([10_250, 70_250])
    timers.advance(1000)
    expect(seen.at(-1)).toBe(71_000)
  })

  test('stops at an earlier time of its last data', () => {
    const { clock } = started()
    clock.stop(4_000)
    expect([clock.now(), clock.stoppedAt]).toEqual([4_000, 4_000])
  })

  test('follows the time of the daemon', () => {
    const { clock } = started()
    clock.synchronize(500_000)
    expect(clock.now()).toBe(500_000)
    clock.synchronize(500_900)
    expect(clock.now()).toBe(500_000)
  })

  test('waits for a small correction, so that no age goes back', () => {
    const { timers, clock } = started()
    clock.synchronize(500_000)
    expect(clock.now()).toBe(500_000)
    clock.synchronize(498_000)
    expect(clock.now()).toBe(500_000)
    timers.advance(3000)
    expect(clock.now()).toBe(501_000)
  })

  test('goes back if it was wrong by more', () => {
    const { clock } = started()
    clock.synchronize(500_000)
    expect(clock.now()).toBe(500_000)
    clock.synchronize(400_000)
    expect(clock.now()).toBe(400_000)
  })

  test('does not tick while hidden, and notifies when shown', () => {
    const { timers, clock, seen } = started()
    clock.setHidden(true)
    timers.advance(10_000)
    expect(seen).toEqual([])
    clock.setHidden(false)
    expect(seen).toEqual([20_250])
    expect(timers.pending).toEqual([21_000])
  })
})
