import type { Provider } from '../model'
import styles from './social-buttons.module.css'

/** The providers' logos in their own colours, as their brand rules require. */
export function ProviderMark({ provider }: { provider: Provider }) {
  return (
    <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {provider === 'google' ? (
        <>
          <path
            className={styles.blue}
            d="M23.5 12.27c0-.85-.08-1.67-.22-2.45H12v4.64h6.45a5.52 5.52 0 0 1-2.39 3.62v3h3.87c2.26-2.09 3.57-5.16 3.57-8.81Z"
          />
          <path
            className={styles.green}
            d="M12 24c3.24 0 5.96-1.07 7.94-2.91l-3.88-3a7.2 7.2 0 0 1-10.71-3.78h-4v3.09A12 12 0 0 0 12 24Z"
          />
          <path className={styles.yellow} d="M5.35 14.31a7.2 7.2 0 0 1 0-4.6V6.62h-4a12 12 0 0 0 0 10.78l4-3.09Z" />
          <path
            className={styles.red}
            d="M12 4.77c1.76 0 3.35.6 4.6 1.8l3.43-3.43A11.97 11.97 0 0 0 1.35 6.62l4 3.09A7.17 7.17 0 0 1 12 4.77Z"
          />
        </>
      ) : (
        <path
          className={styles.blurple}
          d="M20.32 4.37A19.8 19.8 0 0 0 15.43 2.85l-.61 1.25a18.3 18.3 0 0 0-5.64 0L8.56 2.850a19.700 19.700 0 0 0-4.890 1.520C.58 9.050-.26 13.600.16 18.090a19.900 19.900 0 0 0 6 3.060l1.300-2.100a12.900 12.900 0 0 1-2.050-.99l.5-.39a14.200 14.200 0 0 0 12.180 0l.5.39c-.65.39-1.340.72-2.050.99l1.290 2.100a19.900 19.900 0 0 0 6-3.060c.5-5.200-.84-9.710-3.510-13.720ZM8.020 15.330c-1.180 0-2.150-1.100-2.150-2.440 0-1.340.95-2.440 2.150-2.440 1.210 0 2.180 1.100 2.160 2.440 0 1.340-.95 2.440-2.160 2.440Zm7.970 0c-1.180 0-2.150-1.100-2.150-2.440 0-1.340.95-2.440 2.150-2.440 1.210 0 2.180 1.100 2.160 2.440 0 1.340-.95 2.440-2.160 2.440Z"
        />
      )}
    </svg>
  )
}
