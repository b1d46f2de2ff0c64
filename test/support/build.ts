// Global setup: what the tests start as processes is built from the tree they stand in, once a run.
import { build } from '../../scripts/build.mjs'

export default async function buildOnce(): Promise<void> {
  await build()
}
