// Figures of a page. Times are CPU times of its main thread: other programs do not lengthen them.
import type { Browser, CDPSession, Page } from 'playwright-core'

const MS = 1000

/** Adds the time since the navigation at which the selector first matched, for `firstShown`. */
export async function watchFirst(page: Page, selector: string): Promise<void> {
  await page.addInitScript({
    content: `new MutationObserver((_, observer) => {
      if (!document.querySelector(${JSON.stringify(selector)})) return
      observer.disconnect()
      requestAnimationFrame(() => (document.documentElement.dataset.first = performance.now()))
    }).observe(document, { subtree: true, childList: true })`,
  })
}

/** Milliseconds from the navigation to the frame that shows the selector of `watchFirst`, on the wall clock. */
export async function firstShown(page: Page): Promise<number> {
  const root = page.locator('html[data-first]')
  await root.waitFor({ state: 'attached' })
  return Number(await root.getAttribute('data-first'))
}

export class PageMeter {
  readonly #session: CDPSession

  private constructor(session: CDPSession) {
    this.#session = session
  }

  static async of(page: Page): Promise<PageMeter> {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    return new PageMeter(session)
  }

  /** Milliseconds of the main thread since its start. */
  async mainThread(): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ThreadTime')!.value * MS
  }

  /** Megabytes in use after a garbage collection. */
  async heap(): Promise<number> {
    await this.#session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await this.#session.send('Runtime.getHeapUsage')
    return usedSize / 1e6
  }
}

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** CPU time in microseconds. */
  tdur?: number
  args?: { name?: string }
}

/** Longest task of the main thread of any page during the work, in milliseconds. */
export async function longestTask(browser: Browser, page: Page, work: () => Promise<unknown>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] })
  let trace = ''
  try {
    await work()
  } finally {
    trace = (await browser.stopTracing()).toString()
  }
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] }
  const place = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`
  const named = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const mains = new Set(named.map(place))
  const tasks = traceEvents.filter(
    (event) => event.ph === 'X' && event.name.endsWith('RunTask') && mains.has(place(event)),
  )
  const times = tasks.flatMap(({ tdur }) => tdur ?? [])
  if (times.length === 0) throw new Error(`no CPU times in a trace of ${tasks.length} tasks`)
  return Math.max(...times) / MS
}
