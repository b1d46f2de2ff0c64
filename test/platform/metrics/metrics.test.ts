import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { exposition } from '../../../platform/metrics/exposition.ts'
import { counter, gauge, register, type Metric } from '../../../platform/metrics/metrics.ts'

const MANY = 100_000

const samples = Array.from({ length: MANY }, (_, index) => ({ labels: { name: `n${index}` }, value: index }))

/** Lines of the metric, as scraped. */
async function scraped(registry: Registry): Promise<string[]> {
  return (await exposition(registry)).split('\n').filter((line) => line.startsWith('figure{'))
}

function registryOf(metric: Metric): Registry {
  const registry = new Registry()
  register(registry, metric)
  return registry
}

test.for([counter, gauge])('returns every sample once to concurrent scrapes', async (make) => {
  const registry = registryOf(make('figure', 'A figure', async () => samples, 'name'))
  const [one, other] = await Promise.all([scraped(registry), scraped(registry)])
  for (const lines of [one, other, await scraped(registry)]) {
    expect(lines).toHaveLength(MANY)
    expect(lines.at(-1)).toBe(`figure{name="n${MANY - 1}"} ${MANY - 1}`)
  }
})

/** Event-loop iterations that others get while `work` runs. */
async function turnsOfOthers(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await work()
  clearImmediate(next)
  return turns
}

test('does not block the event loop with thousands of samples', async () => {
  const registry = registryOf(gauge('figure', 'A figure', async () => samples, 'name'))
  expect(await turnsOfOthers(() => scraped(registry))).toBeGreaterThan(2)
})

test('does not block the event loop with thousands of lines', async () => {
  const registry = new Registry()
  const made = new Gauge({ name: 'figure', help: 'A figure', labelNames: ['name'], registers: [registry] })
  for (const { labels, value } of samples) made.set(labels, value)
  expect(await turnsOfOthers(() => scraped(registry))).toBeGreaterThan(2)
})

test('writes the same text as prom-client', async () => {
  const registry = new Registry()
  const registers = [registry]
  const seconds = new Histogram({
    name: 'seconds',
    help: 'Lasts\nlong',
    labelNames: ['of'],
    buckets: [1, 2],
    registers,
  })
  const things = new Counter({ name: 'things_total', help: 'Things', labelNames: ['name', 'odd'], registers })
  const none = new Gauge({ name: 'none', help: 'None yet', labelNames: ['name'], registers })
  for (let index = 0; index < 1001; index++) {
    seconds.observe({ of: `n${index}` }, index % 3)
    things.inc({ name: `"n${index}"`, odd: `\\ \n ${index % 2}` }, index)
  }
  new Gauge({ name: 'bare', help: 'Without labels', registers }).set(Number.NaN)
  expect(await exposition(registry)).toBe(await registry.metrics())
  none.set({ name: 'now' }, Infinity)
  expect(await exposition(registry)).toBe(await registry.metrics())
})

test('fails only the scrape whose metric cannot be read', async () => {
  let works = false
  const read = async () => {
    if (!works) throw new Error('the database is closed')
    return 1
  }
  const registry = registryOf(gauge('figure', 'A figure', read))
  await expect(exposition(registry)).rejects.toThrow('the database is closed')
  works = true
  expect(await exposition(registry)).toContain('figure 1')
})
