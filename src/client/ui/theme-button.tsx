import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { chooseTheme, chosenTheme } from '../theme.ts';
import type { Theme } from '../theme.ts';
import { IconButton } from './button.tsx';

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const LABELS: Record<Theme, string> = { system: 'Colors: as the system', light: 'Colors: light', dark: 'Colors: dark' };
const ICONS: Record<Theme, ReactNode> = { system: <Monitor aria-hidden />, light: <Sun aria-hidden />, dark: <Moon aria-hidden /> };

export function ThemeButton(): ReactNode {
  const [theme, setTheme] = useState(chosenTheme);
  const change = (): void => {
    chooseTheme(NEXT[theme]);
    setTheme(NEXT[theme]);
  };
  return <IconButton label={LABELS[theme]} icon={ICONS[theme]} onClick={change} />;
}
