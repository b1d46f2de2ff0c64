// Global setup: what the tests start as processes is built from the tree they stand in, once a run: here where vitest was
// started by itself (`npx vitest run …`), and by what started it else.
import { build } from '../../scripts/build.mjs'
import { root } from './root.ts'

export default async function buildOnce(): Promise<void> {
  if (process.env.SVC_TEST_BUILT !== root) await build()
}
