import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { chooseTheme, chosenTheme } from '../../storage/theme.ts';
import type { Theme } from '../../storage/theme.ts';
import { IconButton } from '../forms/button.tsx';
import { THEME_LABELS } from '../../texts.ts';

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS: Record<Theme, ReactNode> = { system: <Monitor aria-hidden />, light: <Sun aria-hidden />, dark: <Moon aria-hidden /> };

export function ThemeButton(): ReactNode {
  const [theme, setTheme] = useState(chosenTheme);
  const change = (): void => {
    chooseTheme(NEXT[theme]);
    setTheme(NEXT[theme]);
  };
  return <IconButton label={THEME_LABELS[theme]} icon={ICONS[theme]} onClick={change} />;
}
