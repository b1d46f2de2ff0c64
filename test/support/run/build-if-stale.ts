// Global set-up: the programs that integration tests start are those of the current sources.
import { buildIfStale } from '../../../scripts/build.mjs'

export default async function buildPrograms(): Promise<void> {
  await buildIfStale()
}
