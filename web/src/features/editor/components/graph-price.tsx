import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { PriceLine } from '@/features/mini-apps'
import type { GraphBridge } from '@/shared/lib/frame-bridge'
import { graphQuoteQuery } from '../api'
import styles from './editor.module.css'

/** What a run of the graph in the editor costs. Nothing while the graph cannot run. */
export function GraphPrice({ bridge }: { bridge: GraphBridge }) {
  const [prompt, setPrompt] = useState<string | null>(null)
  // The page asks for the graph when it opens and after each change.
  useEffect(() => bridge.listen((message) => message.type === 'graph' && setPrompt(message.prompt)), [bridge])
  const { data, error } = useQuery({ ...graphQuoteQuery(prompt ?? '{}'), enabled: prompt !== null && prompt !== '{}' })
  return (
    <div className={styles.price}>
      <Suspense>
        <PriceLine quote={{ data: error ? undefined : data, error }} />
      </Suspense>
    </div>
  )
}
