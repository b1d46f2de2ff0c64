import { useEffect, useRef, useState } from 'react'
import { useLostAt } from '../../live/use-live.ts'
import { isOutdated, type Build } from './build-check.ts'
import styles from '../frame.module.css'

/** Offers a reload if a newer daemon has answered after a lost connection. Drafts survive a reload. */
export function Outdated({ build }: { build: Build }) {
  const isLost = useLostAt() !== null
  const wasLost = useRef(false)
  const [isOld, setOld] = useState(false)
  useEffect(() => {
    if (!isLost && wasLost.current)
      void isOutdated(build, (address) => fetch(address, { cache: 'no-store' })).then(setOld)
    wasLost.current = isLost
  }, [isLost])
  if (!isOld) return null
  return (
    <div className={styles['outdated']} role="alert">
      The daemon has a newer page. Drafts are kept.
      <button type="button" className="btn small" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  )
}
