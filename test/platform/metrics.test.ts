// Metrics as they are scraped: whole for everybody who looks, whatever their number, and without holding the loop.
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { counter, gauge, register, type Metric } from '../../platform/metrics.ts'

const MANY = 100_000

const samples = Array.from({ length: MANY }, (_, index) => ({ labels: { name: `n${index}` }, value: index }))

/** Lines of the figure, as somebody reads them. */
async function scraped(registry: Registry): Promise<string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith('figure{'))
}

function registryOf(metric: Metric): Registry {
  const registry = new Registry()
  register(registry, metric)
  return registry
}

test.for([counter, gauge])('two who look at once get every sample, and each once', async (make) => {
  const registry = registryOf(make('figure', 'A figure', async () => samples, 'name'))
  const [one, other] = await Promise.all([scraped(registry), scraped(registry)])
  for (const lines of [one, other, await scraped(registry)]) {
    expect(lines).toHaveLength(MANY)
    expect(lines.at(-1)).toBe(`figure{name="n${MANY - 1}"} ${MANY - 1}`)
  }
})

test('thousands of samples let others run meanwhile', async () => {
  const registry = registryOf(gauge('figure', 'A figure', async () => samples, 'name'))
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await scraped(registry)
  clearImmediate(next)
  expect(turns).toBeGreaterThan(2)
})

test('what cannot be read fails that look alone', async () => {
  let works = false
  const read = async () => {
    if (!works) throw new Error('the database is closed')
    return 1
  }
  const registry = registryOf(gauge('figure', 'A figure', read))
  await expect(registry.metrics()).rejects.toThrow('the database is closed')
  works = true
  expect(await registry.metrics()).toContain('figure 1')
})
