import { buildIfStale } from '../../../scripts/build.mjs'

export default async function buildPrograms(): Promise<void> {
  await buildIfStale()
}
